import type { Command } from 'commander'
import { checkInstallation } from '../../maintenance/check/check-installation.ts'
import { repairLists } from '../../maintenance/check/repair-lists.ts'
import { listProjects } from '../../resources/projects/project-store.ts'
import { type CommonOptions, databaseCommand, examples, print } from '../terminal.ts'
import { withInstallation } from '../with-installation.ts'

/** `verso check`: exit code 1 if it finds something wrong. */
export function checkCommand(): Command {
  return databaseCommand('check', 'Check the database for inconsistencies: engine, log, contents, revisions, indexes and counts.')
    .option(
      '--repair',
      'first repair the indexes and totals that lists of posts use; a running service shows the repair after its next write',
    )
    .addHelpText('after', examples('verso check', 'verso check --json', 'verso check --repair'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'> & { readonly repair?: true }) => {
      const findings = await withInstallation(options, async ({ engine }) => {
        const missing = engine.missingLog?.()
        const found = missing === undefined ? [] : [missing]
        if (options.repair) await repairLists(engine, await listProjects(engine.db))
        for await (const finding of checkInstallation(engine)) found.push(finding)
        return found
      })
      print(
        options,
        { ok: findings.length === 0, findings },
        findings.length === 0 ? 'Everything is as it should be.' : findings.join('\n'),
      )
      if (findings.length > 0) process.exitCode = 1
    })
}
