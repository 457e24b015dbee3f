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
  readEdited,
  readVersion,
  saveEdit,
} from '../../../api/edits.ts'
import { findKept, forget, type KeptEdit, keep } from '../../../api/kept.ts'
import { type Post, Problem, type ProjectApi } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'
import { isMadeFrom, slugFrom } from './made-slug.ts'
import { type Conflict, mergeFields } from './merge.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'conflict' | 'refused'

type PendingEdit = NonNullable<Edited['pending']>

/** A pause this long is the end of a thought; whoever never pauses is saved as often as `longestMs`. */
const restMs = 600
const longestMs = 10_000
/** How often it is kept in the browser while one types. */
const keepMs = 300
const retryMs = 4_000

/** What two have changed, waiting for a choice. */
export interface Dispute {
  readonly conflicts: readonly Conflict[]
  readonly theirs: Edited
  /** The post itself was changed, not its pending edit. */
  readonly isPost: boolean
  readonly actor: string | undefined
}

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
  /** What Verso has, as it was sent. */
  #saved: EditFields = emptyFields
  #running: Promise<void> | undefined
  /** Where to look for the text that was typed since it was last looked at. */
  #typed: (() => string) | undefined
  #basedOn: number | undefined
  #timers: { rest?: ReturnType<typeof setTimeout>; longest?: ReturnType<typeof setTimeout>; keep?: ReturnType<typeof setTimeout> } = {}

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
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    this.#keepNow()
    void this.flush()
  }

  /** The slug follows the title as long as nobody has set it or seen it. */
  get isSlugMade(): boolean {
    const { title, slug } = this.fields.peek()
    const { status, publishedAt } = this.post.peek() ?? {}
    return status === 'draft' && publishedAt === null && isMadeFrom(title.trim() || t('editor.untitled'), slug)
  }

  change(given: Partial<EditFields>): void {
    this.#put(given)
    this.#touch()
  }

  #put(given: Partial<EditFields>): void {
    const made = this.isSlugMade && slugFrom(given.title ?? '')
    const fields = made ? { ...given, slug: made } : given
    this.fields.value = { ...this.#current, ...fields }
    const faults = Object.entries(this.faults.peek()).filter(([name]) => !(name in fields))
    this.faults.value = Object.fromEntries(faults)
  }

  /** The text is being written. What it is now is asked for when it is kept or saved, not at every key. */
  type(text: () => string): void {
    this.#typed = text
    this.#touch()
  }

  #touch(): void {
    if (this.state.peek() === 'saved' || this.state.peek() === 'refused') this.state.value = 'unsaved'
    this.#timers.keep ??= setTimeout(() => this.#keepNow(), keepMs)
    clearTimeout(this.#timers.rest)
    this.#timers.rest = setTimeout(() => void this.flush(), restMs)
    this.#timers.longest ??= setTimeout(() => void this.flush(), longestMs)
  }

  /** Saves all that is not saved. One request is under way at a time; what was written meanwhile follows. */
  async flush(): Promise<void> {
    clearTimeout(this.#timers.rest)
    clearTimeout(this.#timers.longest)
    delete this.#timers.longest
    while (this.#running) await this.#running
    if (this.dispute.peek()) return
    if (!this.#hasUnsaved()) {
      // What was written was taken back.
      if (this.state.peek() === 'unsaved' && Object.keys(changedFields(this.#saved, this.fields.peek())).length === 0)
        this.state.value = 'saved'
      return
    }
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
    const theirs = await readEdited(this.api, id)
    const isNew = theirs.pending?.version !== this.pending.peek()?.version || theirs.post.version !== this.post.peek()?.version
    if (isNew && this.state.peek() === 'saved') this.#takeOver(theirs)
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

  #unsaved(): Partial<EditFields> {
    const { title, ...rest } = changedFields(this.#saved, this.#current)
    const refused = this.faults.peek()
    const named = title === undefined || title.trim() === '' ? rest : { ...rest, title }
    return Object.fromEntries(Object.entries(named).filter(([name]) => !(name in refused)))
  }

  async #save(): Promise<void> {
    this.state.value = 'saving'
    const fields = this.#unsaved()
    const sent = { ...this.#saved, ...fields }
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
    if (Object.keys(faults).length > 0) {
      this.faults.value = { ...this.faults.peek(), ...faults }
      return
    }
    this.state.value = problem && problem.status > 0 && problem.status < 500 && problem.status !== 429 ? 'refused' : 'offline'
    setTimeout(this.#retry, retryMs)
  }

  async #catchUp(id: string): Promise<void> {
    try {
      this.#takeOver(await readEdited(this.api, id))
    } catch {
      this.state.value = 'offline'
      setTimeout(this.#retry, retryMs)
    }
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
    this.dispute.value = { conflicts, theirs, isPost, actor: theirs.pending?.actor }
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

  #resume({ fields, saved, version }: KeptEdit): void {
    const isCurrent = version === this.pending.peek()?.version
    const { fields: merged, conflicts } = mergeFields(isCurrent ? this.#saved : saved, fields, this.#saved)
    const post = this.post.peek()
    if (conflicts.length > 0 && post) {
      this.fields.value = fields
      this.#argue(conflicts, { post, pending: this.pending.peek() })
      return
    }
    this.change(merged)
  }

  #keepNow(): void {
    clearTimeout(this.#timers.keep)
    delete this.#timers.keep
    if (Object.keys(changedFields(this.#saved, this.#current)).length === 0) return
    void keep({ key: this.#key, fields: this.fields.peek(), saved: this.#saved, version: this.pending.peek()?.version })
  }
}
