/** Statements that name a table sharded by project without binding it to one project, and why they may. */
export const allowedUnbound: readonly { readonly what: string; readonly is: RegExp; readonly why: string }[] = [
  {
    what: 'the look-ups of tokens and sites, joined with what their projects have',
    is: /^select .* from "(?:api_keys|session_tokens)" (?:inner join "memberships" .*)?inner join "project_state" |^select .* from "projects" inner join "(?:project_state|preview_tokens)" /s,
    why: 'for a database that is not sharded; a sharded one is asked in two statements',
  },
  {
    what: 'the progress of all logs that somebody waits for',
    is: /^select .* from "project_state" where "project_id" in \(/s,
    why: 'for a database that is not sharded; a sharded one is asked project by project',
  },
  {
    what: 'a new post in one statement',
    is: /^with "free" as /,
    why: 'for a database that is not sharded; in a sharded one each table is written by itself',
  },
  {
    what: 'what is due, and the endpoints with work to do, in all projects',
    is: /^\s*select distinct project_id from \(\s+select posts\.project_id from posts where posts\.status = 'scheduled' and posts\.deleted_at is null and posts\.scheduled_for <= \$1\s+union all |^select \(select min\(due\) from .* as next_due\) as "due"$|^select "webhooks"\."project_id", .* from "webhooks" inner join "project_state" on "project_state"\."project_id" = "webhooks"\."project_id" |^select count\(\*\) as "deliveries", .* from "webhook_deliveries" inner join "webhooks" on "webhooks"\."project_id" = "webhook_deliveries"\."project_id" |^select "project_id" as "id" from "project_state"$|^select "secret", "old_secret" from "webhooks"$/s,
    why: 'askEveryProject: each shard answers by itself, and where one is away each project is asked',
  },
  {
    what: 'a preview token, of which only its hash is known',
    is: /^select "id", "project_id", "post_id", "expires_at" from "preview_tokens" where "hash" = \$1$/,
    why: 'askEveryProject, as above',
  },
  {
    what: 'the first statement of a snapshot',
    is: /^select count\(\*\) from project_state$/,
    why: 'it takes the snapshot of every server',
  },
  {
    what: 'whole tables: moves, backups, restores, the check of rows',
    is: /^\s*(?:select (?:\*|1|count\(\*\) as total|coalesce\(octet_length\(.* as bytes) from "\w+"(?: +(?:where \(.*\) > \(.*\))?| +order by .*)*(?: limit (?:\$\d+|1))?|delete from "\w+")\s*$/s,
    why: 'for operators, who need every server',
  },
  {
    what: 'the index of words, made anew or checked',
    is: /^\s*select posts\.project_id as "projectId", |^select count\(\*\) as total from posts$|^delete from "search_words"$/s,
    why: 'for operators, who need every server; each shard answers by itself',
  },
]
