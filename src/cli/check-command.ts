import type { Command } from 'commander'
import { checkInstallation } from '../checks/check-installation.ts'
import { listProjects } from '../projects/project-store.ts'
import { type CommonOptions, databaseCommand, examples, print } from './terminal.ts'
import { withCore } from './with-core.ts'

/** `verso check`: exit code 1 where something is not as it should be. */
export function checkCommand(): Command {
  return databaseCommand('check', 'Hold the database against what it promises: engine, log, contents, revisions, indexes. Changes nothing.')
    .addHelpText('after', examples('verso check', 'verso check --json'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'>) => {
      const findings = await withCore(options, async ({ engine }) => {
        const found: string[] = []
        for await (const finding of checkInstallation(engine, await listProjects(engine.db))) found.push(finding)
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
