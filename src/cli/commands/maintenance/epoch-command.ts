import { Command } from 'commander'
import { readConfig } from '../../../app/config.ts'
import { realContext } from '../../../context.ts'
import { renewEpoch } from '../../../maintenance/backup/restore.ts'
import { requireDatabase, withSide } from '../../database-side.ts'
import { type CommonOptions, databaseCommand, examples, print } from '../../terminal.ts'

/** `verso epoch renew`. */
export function epochCommand(): Command {
  return new Command('epoch')
    .description('Renew the epoch, after a restore by the means of the database itself.')
    .addHelpText('after', examples('verso epoch renew'))
    .addCommand(renew())
}

function renew(): Command {
  return databaseCommand('renew', 'Make ETags and cursors of the time after the restored state invalid. Stop the service first.')
    .addHelpText('after', examples('verso epoch renew', 'verso epoch renew --database postgres://verso:secret@db.example.com/verso'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'>) => {
      const { database } = readConfig(options)
      requireDatabase(database)
      await withSide(database, async (side) => {
        await renewEpoch(side, realContext)
        const text = `${side.place} has a new epoch. A service that runs on it must be restarted: it still uses the old one.`
        print(options, { database: side.place, renewed: true }, text)
      })
    })
}
