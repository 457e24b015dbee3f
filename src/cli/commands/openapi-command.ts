import { Command } from 'commander'
import { readConfig } from '../../app/config.ts'
import { describeApi } from '../../app/routes.ts'
import { examples } from '../terminal.ts'

/** `verso openapi`: needs no database. */
export function openapiCommand(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI 3.1 document of this version, as /openapi.json serves it.')
    .option('--json', 'print JSON (always the case)')
    .addHelpText('after', examples('verso openapi > openapi.json'))
    .action(() => {
      process.stdout.write(`${JSON.stringify(describeApi(readConfig().publicUrl), null, 2)}\n`)
    })
}
