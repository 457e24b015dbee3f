import { computed, signal } from '@preact/signals'
import {
  changedFields,
  createPost,
  type Edited,
  type EditFields,
  emptyFields,
  type FieldName,
  faultsIn,
  fieldsOf,
  type PendingEdit,
  readEdited,
  readVersion,
  saveEdit,
  without,
} from '../../../api/edits.ts'
import { findKept, forget, type KeptEdit, keep } from '../../../api/kept.ts'
import { type Post, Problem, type ProjectApi } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'
import { slugFrom, withSlug } from './made-slug.ts'
import { type Conflict, type Dispute, mergeFields, mergeKept } from './merge.ts'
import { Rhythm } from './rhythm.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'conflict' | 'refused'

const retryMs = 4_000

/**
 * A post while it is edited. Every change is kept in the browser at once and saved as the pending edit after a moment, one request at a time.
 * What somebody else has changed meanwhile is taken over, or put up for choice.
 */
export class Draft {
  readonly fields = signal<EditFields>(emptyFields)
  readonly state = signal<SaveState>('saved')
  readonly post = signal<Post | undefined>(undefined)
  readonly pending = signal<PendingEdit | undefined>(undefined)
  /** What Verso refuses, by field. */
  readonly faults = signal<Readonly<Partial<Record<FieldName, string>>>>({})
  readonly dispute = signal<Dispute | undefined>(undefined)
  /** What was taken over from elsewhere: editors show it then. */
  readonly arrivals = signal(0)
  readonly api: ProjectApi
  readonly isPublic = computed(() => this.post.value?.status === 'published')

  readonly #projectId: string
  readonly #onCreated: (id: string) => void
  readonly #creationKey = crypto.randomUUID()
  #saved: EditFields = emptyFields
  #running: Promise<void> | undefined
  /** Where to look for the text that was typed since it was last looked at. */
  #typed: (() => string) | undefined
  #basedOn: number | undefined
  /** What Verso may have, where no answer came. */
  #sent: EditFields | undefined
  readonly #rhythm = new Rhythm({ keep: () => this.#keepNow(), save: () => void this.flush() })

  constructor(api: ProjectApi, projectId: string, onCreated: (id: string) => void) {
    this.api = api
    this.#projectId = projectId
    this.#onCreated = onCreated
  }

  get #key(): string {
    return `${this.#projectId} ${this.post.peek()?.id ?? 'new'}`
  }

  /** Opens a post with its pending edit, and with what was written here and not saved. */
  async open(id: string | undefined, signal: AbortSignal): Promise<void> {
    if (id !== undefined) this.#learn(await readEdited(this.api, id, signal))
    this.fields.value = this.#saved
    const kept = await findKept(this.#key)
    if (kept) this.#resume(kept)
    addEventListener('online', this.#retry)
  }

  close(): void {
    removeEventListener('online', this.#retry)
    this.#keepNow()
    void this.flush()
  }

  change(given: Partial<EditFields>): void {
    this.#put(given)
    this.#touch()
  }

  #put(given: Partial<EditFields>): void {
    const fields = withSlug(given, this.fields.peek(), this.post.peek())
    this.fields.value = { ...this.#current, ...fields }
    this.faults.value = without(this.faults.peek(), fields)
  }

  /** The text is being written. What it is now is asked for when it is kept or saved, not at every key. */
  type(text: () => string): void {
    this.#typed = text
    this.#touch()
  }

  #touch(): void {
    if (this.state.peek() === 'saved' || this.state.peek() === 'refused') this.state.value = 'unsaved'
    this.#rhythm.beat()
  }

  /** Saves all that is not saved. One request is under way at a time; what was written meanwhile follows. */
  async flush(): Promise<void> {
    this.#rhythm.saved()
    while (this.#running) await this.#running
    if (this.dispute.peek()) return
    const hasUnsaved = this.#hasUnsaved()
    // What was written was taken back.
    if (this.state.peek() === 'unsaved' && !hasUnsaved && !this.#isChanged()) this.state.value = 'saved'
    if (!hasUnsaved) return
    this.#running = this.#save()
    await this.#running
    this.#running = undefined
    const isGoing = this.state.peek() === 'saving'
    if (isGoing && this.#hasUnsaved()) return this.flush()
    if (isGoing) this.state.value = Object.keys(this.faults.peek()).length > 0 ? 'refused' : 'saved'
    if (this.state.peek() === 'saved') void forget(this.#key)
  }

  /** Looks whether somebody else has saved, and takes it over. While one writes that can wait: the next save hears of it. */
  async refresh(): Promise<void> {
    const id = this.post.peek()?.id
    if (id === undefined || this.#running || this.dispute.peek()) return
    const saved = this.#saved
    const theirs = await readEdited(this.api, id)
    const isNew = theirs.pending?.version !== this.pending.peek()?.version || theirs.post.version !== this.post.peek()?.version
    if (isNew && this.state.peek() === 'saved' && this.#saved === saved) this.#takeOver(theirs)
  }

  /** After an action that has changed the post. */
  async reload(): Promise<void> {
    const id = this.post.peek()?.id
    if (id !== undefined) this.#takeOver(await readEdited(this.api, id))
  }

  /** Ends a dispute with the values that were chosen, and saves them. */
  settle(chosen: Partial<EditFields>): void {
    const dispute = this.dispute.peek()
    if (!dispute) return
    this.#learn(dispute.theirs)
    if (dispute.isPost) this.#continue(dispute.theirs.post)
    this.dispute.value = undefined
    this.state.value = 'unsaved'
    this.#arrive({ ...this.#current, ...chosen })
    void this.flush()
  }

  /** Goes back to what is saved. */
  revert(): void {
    this.#typed = undefined
    this.#arrive(this.#saved)
    void forget(this.#key)
  }

  /** What is written by now. */
  get #current(): EditFields {
    const text = this.#typed
    this.#typed = undefined
    if (text) this.#put({ content: text() })
    return this.fields.peek()
  }

  #hasUnsaved(): boolean {
    return this.#basedOn !== undefined || Object.keys(this.#unsaved()).length > 0
  }

  #isChanged(): boolean {
    return Object.keys(changedFields(this.#saved, this.#current)).length > 0
  }

  #unsaved(): Partial<EditFields> {
    const { title, ...rest } = changedFields(this.#saved, this.#current)
    return without(title === undefined || title.trim() === '' ? rest : { ...rest, title }, this.faults.peek())
  }

  async #save(): Promise<void> {
    this.state.value = 'saving'
    const fields = this.#unsaved()
    const sent = { ...this.#saved, ...fields }
    this.#sent = sent
    this.#keepNow()
    try {
      if (this.post.peek()) await this.#savePending(fields, sent)
      else await this.#create(sent)
    } catch (error) {
      await this.#judge(error, fields)
    }
  }

  async #create(sent: EditFields): Promise<void> {
    const kept = this.#key
    const post = await createPost(this.api, { ...sent, title: sent.title.trim() || t('editor.untitled') }, this.#creationKey)
    this.post.value = post
    this.#saved = { ...sent, slug: post.slug }
    const typed = this.fields.peek()
    const made = typed.title === sent.title ? '' : slugFrom(typed.title)
    if (typed.slug === '') this.fields.value = { ...typed, slug: made || post.slug }
    void forget(kept)
    this.#onCreated(post.id)
  }

  async #savePending(fields: Partial<EditFields>, sent: EditFields): Promise<void> {
    const post = this.post.peek()
    if (!post) return
    const before = this.pending.peek()
    const basedOn = this.#basedOn ?? (before ? undefined : post.version)
    const saved = await saveEdit(this.api, post.id, fields, { version: before?.version, basedOn })
    this.#basedOn = undefined
    this.#saved = sent
    this.pending.value = saved
    // The post itself was changed meanwhile: what it changed is merged, too.
    if (saved.conflicts.length > 0) await this.#mergePost(saved)
  }

  async #mergePost(pending: PendingEdit): Promise<void> {
    const { post } = await readEdited(this.api, pending.id)
    const base = await readVersion(this.api, pending.id, pending.basedOn)
    const { fields, conflicts } = mergeFields(base, this.#current, fieldsOf(post))
    this.post.value = post
    if (conflicts.length > 0) this.#argue(conflicts, { post, pending }, true)
    else {
      this.#continue(post)
      this.#arrive(fields)
    }
  }

  /** The next save continues this version of the post. */
  #continue(post: Post): void {
    this.#basedOn = post.version
    this.#saved = fieldsOf(post)
  }

  async #judge(error: unknown, sent: Partial<EditFields>): Promise<void> {
    const problem = error instanceof Problem ? error : undefined
    const id = this.post.peek()?.id
    if (problem?.code === 'stale_version' && id !== undefined) return this.#catchUp(id)
    const faults = problem && problem.status >= 400 && problem.status < 500 ? faultsIn(problem, sent) : {}
    if (Object.keys(faults).length > 0) this.faults.value = { ...this.faults.peek(), ...faults }
    else this.#wait(problem && problem.status > 0 && problem.status < 500 && problem.status !== 429 ? 'refused' : 'offline')
  }

  async #catchUp(id: string): Promise<void> {
    const theirs = await readEdited(this.api, id).catch(() => undefined)
    if (theirs) this.#takeOver(theirs)
    else this.#wait('offline')
  }

  #wait(state: SaveState): void {
    this.state.value = state
    setTimeout(this.#retry, retryMs)
  }

  readonly #retry = () => {
    if (this.state.peek() === 'offline') void this.flush()
  }

  /** Merges what Verso has now with what is written here. */
  #takeOver(theirs: Edited): void {
    const base = this.#saved
    const { fields, conflicts } = mergeFields(base, this.#current, fieldsOf(theirs.pending ?? theirs.post))
    if (conflicts.length > 0) this.#argue(conflicts, theirs)
    else {
      this.#learn(theirs)
      this.#arrive(fields)
    }
  }

  #argue(conflicts: readonly Conflict[], theirs: Edited, isPost = false): void {
    this.dispute.value = { conflicts, theirs, isPost }
    this.state.value = 'conflict'
  }

  #learn({ post, pending }: Edited): void {
    this.post.value = post
    this.pending.value = pending
    this.#saved = fieldsOf(pending ?? post)
  }

  #arrive(fields: EditFields): void {
    this.fields.value = fields
    this.arrivals.value += 1
  }

  #resume(kept: KeptEdit): void {
    const [post, pending] = [this.post.peek(), this.pending.peek()]
    const { fields, conflicts } = mergeKept(kept, this.#saved, pending?.version)
    if (conflicts.length > 0 && post) {
      this.fields.value = kept.fields
      this.#argue(conflicts, { post, pending })
    } else this.change(fields)
  }

  #keepNow(): void {
    this.#rhythm.kept()
    if (!this.#isChanged()) return
    void keep({ key: this.#key, fields: this.fields.peek(), saved: this.#saved, sent: this.#sent, version: this.pending.peek()?.version })
  }
}
