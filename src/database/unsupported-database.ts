/** A database that this program cannot work with. The message is one line for the operator. */
export class UnsupportedDatabase extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsupportedDatabase'
  }
}
