import { sql } from 'kysely'
import { migrateDatabase } from '../../dist/app/installation.js'
import { upgradeSteps } from '../../dist/cli/upgrade-steps.js'
import { realContext } from '../../dist/context.js'
import { releasedMigrations } from '../../dist/database/migrate.js'

/** Migrates a database as the start of a later version would: with the released migrations, and one more of the statements that it is given. */
const { database, upgradeBackup, name, statements } = JSON.parse(process.argv[2])
const next = {
  name,
  reindex: true,
  async up(db) {
    for (const [i, statement] of statements.entries()) {
      await sql.raw(statement).execute(db)
      process.stdout.write(`statement ${i + 1}\n`)
      // So that a kill can come between two statements of a small database, too.
      await new Promise((resume) => setTimeout(resume, 10))
    }
  },
}
const steps = upgradeSteps({ database, upgradeBackup }, { withoutBackup: false, tell: (text) => process.stdout.write(`${text}\n`) })
const applied = await migrateDatabase(database, realContext, { steps, migrations: [...releasedMigrations, next] })
process.stdout.write(`done ${applied.join()}\n`)
