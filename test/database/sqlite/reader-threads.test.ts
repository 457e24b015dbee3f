import { describe, expect, it, onTestFinished } from 'vitest'
import { openReaderThreads } from '../../../src/database/sqlite/reader-threads.ts'
import type { ProjectId } from '../../../src/values/ids.ts'

describe('the threads that read beside the event loop', () => {
  it('where none can be started: each read fails, and none keeps the place of another', async () => {
    // What cannot be copied to a thread fails as a system without threads does: at once.
    const threads = openReaderThreads({ path: (() => '') as never, log: () => undefined })
    onTestFinished(() => threads.close())
    const read = () => threads.read({ name: 'key', projectId: 'project' as ProjectId }, async () => 'read')
    for (let times = 0; times < 5; times++) await expect(read()).rejects.toThrow('could not be cloned')
  })
})
