/** A file that is no backup, or a damaged one, or one of a newer Verso. The message is one line for the operator. */
export class UnusableBackup extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableBackup'
  }
}

/** Thrown between two batches if the operator stops the work. */
export class BackupStopped extends Error {
  constructor(message = 'Stopped. Nothing was kept.') {
    super(message)
    this.name = 'BackupStopped'
  }
}

/** S3 could not do what was asked. The message is one line for the operator; the status is there if the service answered. */
export class S3Failed extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = 'S3Failed'
    this.status = status
  }
}
