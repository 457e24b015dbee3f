import { Command } from 'commander'
export function importCommand(): Command {
  return new Command('import')
}
