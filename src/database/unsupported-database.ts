/** A database that this program cannot work with; the message is one line for the person who chose it. */
export class UnsupportedDatabase extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsupportedDatabase'
  }
}
