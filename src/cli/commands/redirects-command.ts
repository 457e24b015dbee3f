import { writeFileSync } from 'node:fs'
import { Option } from 'commander'
import type { Caller } from '../../actions/caller.ts'
import type { Installation } from '../../app/installation.ts'
import { requireLinks } from '../../resources/redirects/redirect.ts'
import { type Redirect, redirectList } from '../../resources/redirects/redirect-schema.ts'
import { findHiddenPaths, listRedirects } from '../../resources/redirects/redirect-store.ts'
import { findSite } from '../../resources/site/site-store.ts'
import { UsageError } from '../errors.ts'
import { everyPage } from '../every-page.ts'
import { writingTo } from '../output-path.ts'
import { type HostFormat, hostFile, hostFormats } from '../redirects/host-files.ts'
import { type CommonOptions, counted, examples, print, projectScoped, say } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

interface RedirectsOptions extends CommonOptions {
  readonly format?: HostFormat
  readonly output?: string
}

/** `verso redirects`. */
export function redirectsCommand() {
  return projectScoped('redirects', 'Write the redirects to published posts as the file that a web host reads.')
    .addOption(new Option('--format <host>', 'the host or server that reads the file').choices(hostFormats))
    .option('--output <file>', 'the file to write; without it, the redirects are printed')
    .addHelpText(
      'after',
      examples(
        'verso redirects --format netlify --output public/_redirects',
        'verso redirects --format nginx --output /etc/nginx/conf.d/redirects.conf',
        'verso redirects --json',
      ),
    )
    .action(redirects)
}

async function redirects(options: RedirectsOptions): Promise<void> {
  const { format, output, json } = options
  if (format === undefined && !json) throw new UsageError('say with --format for which host, or ask for --json')
  const found = await withProject(options, readRedirects)
  const { text, untold } = format === undefined ? { text: `${JSON.stringify(found, null, 2)}\n`, untold: [] } : hostFile(format, found)
  if (output === undefined) printFile(options, { text, redirects: found.length - untold.length, untold })
  else {
    await writingTo(output, () => writeFileSync(output, text))
    print(
      options,
      { output, redirects: found.length - untold.length, untold },
      `${counted(found.length - untold.length, 'redirect')} written to ${output}`,
    )
  }
  for (const { from, to, reason } of untold) say(options, `left out: ${from} → ${to} (${reason})`)
}

/** With `--json` and a format, the text of the file is one field beside what it leaves out. */
function printFile({ format, json }: RedirectsOptions, file: { readonly text: string; readonly [field: string]: unknown }): void {
  process.stdout.write(json && format !== undefined ? `${JSON.stringify(file, null, 2)}\n` : file.text)
}

async function readRedirects({ db }: Installation, caller: Caller): Promise<readonly Redirect[]> {
  const { projectId } = caller
  const site = requireLinks(await findSite(db, projectId))
  const hidden = await findHiddenPaths(db, projectId, site)
  return everyPage(redirectList, caller, (plan) => listRedirects(db, { projectId }, plan, { site, hidden }))
}
