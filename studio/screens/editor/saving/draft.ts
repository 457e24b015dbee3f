import type { EditorView } from '@codemirror/view'
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
  without,
} from '../../../api/edits.ts'
import { claim, forget, type KeptEdit, keep, randomName, takeUp } from '../../../api/kept.ts'
import { session } from '../../../api/session.ts'
import { type PendingEdit, type Post, Problem, type RequestOptions } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'
import { address, project, screenPath, verso } from '../../../route/router.ts'
import { showText } from '../text/text-editor.ts'
import { type Failure, failureOf } from './failure.ts'
import { slugFrom, withSlug } from './made-slug.ts'
import { type Dispute, mergeFields } from './merge.ts'
import { paced } from './paced.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'conflict' | Failure['state']

const retryMs = 4_000

/**
 * A post while it is edited. Every change is kept in the browser at once and saved as the pending edit after a moment, one request at a time.
 * What somebody else has changed meanwhile is taken over, or put up for choice.
 */
export class Draft {
  readonly fields = signal<EditFields>(emptyFields)
  readonly post = signal<Post | undefined>(undefined)
  readonly pending = signal<PendingEdit | undefined>(undefined)
  /** What Verso refuses, by field. */
  readonly faults = signal<Readonly<Partial<Record<FieldName, string>>>>({})
  readonly dispute = signal<Dispute | undefined>(undefined)
  /** Why the last save came to nothing. */
  readonly failure = signal<Failure | undefined>(undefined)
  /** Of the text, once it is there. */
  readonly editor = signal<EditorView | undefined>(undefined)
  readonly isPublic = computed(() => this.post.value?.status === 'published')
  /** What is scheduled goes out at its time without its pending edit. */
  readonly goesOutWithout = computed(() => this.post.value?.status === 'scheduled' && this.pending.value !== undefined)
  readonly state = computed<SaveState>(() => {
    if (this.dispute.value) return 'conflict'
    if (this.#isSaving.value) return 'saving'
    if (this.failure.value) return this.failure.value.state
    return Object.keys(this.faults.value).length > 0 ? 'refused' : this.#isTouched.value ? 'unsaved' : 'saved'
  })
  readonly verso = verso()
  /** Whether the browser could keep what is not saved. */
  isKept: boolean | undefined = true

  readonly #owner = `${session.peek()?.person.id} ${project.peek()?.id}`
  /** Of this editor: what it keeps and the post that it makes go by it. */
  readonly #name = randomName()
  /** Of a post that was not there yet: lets others take up what was kept of it. */
  #release: (() => void) | undefined
  readonly #isTouched = signal(false)
  readonly #isSaving = signal(false)
  #saved: EditFields = emptyFields
  #running: Promise<void> | undefined
  /** Whether the editor has a text that was not looked at. */
  #isTyped = false
  /** The version of the post that the next save continues, where it is another than before. */
  #basedOn: number | undefined
  /** What Verso may have, where no answer came. */
  #sent: EditFields | undefined
  readonly #keeping = paced(() => void this.keep(), 300, 300)
  /** A pause this long is the end of a thought; whoever never pauses is saved, too. */
  readonly #saving = paced(() => void this.flush(), 600, 10_000)

  get #key(): string {
    return `${this.#owner} ${this.post.peek()?.id ?? 'new'} ${this.#name}`
  }

  /** Opens a post with its pending edit, and with what was written here and not saved. */
  async open(id: string, stop: RequestOptions): Promise<this> {
    if (id === 'new') this.#release = await claim(this.#key)
    else this.#learn(await readEdited(this.verso, id, stop))
    this.fields.value = this.#saved
    const kept = await takeUp(this.#key)
    if (kept) this.#resume(kept)
    return this
  }

  #resume({ fields, saved, sent }: KeptEdit): void {
    const [post, pending] = [this.post.peek(), this.pending.peek()]
    this.fields.value = fields
    // What was sent may have come, though no answer did.
    const hasCome = sent && Object.keys(changedFields(sent, this.#saved)).length === 0
    if (post && !hasCome) this.#merge({ post, pending }, saved)
    this.#touch()
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
  type(): void {
    this.#isTyped = true
    this.#touch()
  }

  #touch(): void {
    this.#isTouched.value = true
    this.#keeping.beat()
    this.#saving.beat()
  }

  /** Saves all that is not saved. One request is under way at a time; what was written meanwhile follows. */
  flush(): Promise<void> {
    this.#saving.stop()
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #saveAll(): Promise<void> {
    this.failure.value = undefined
    const hasUnsaved = () => this.#basedOn !== undefined || Object.keys(this.#unsaved()).length > 0
    while (!this.dispute.peek() && !this.failure.peek() && hasUnsaved()) {
      this.#isSaving.value = true
      await this.#save()
    }
    this.#isSaving.value = false
    this.#isTouched.value = this.#isChanged()
    if (this.state.peek() === 'saved') void forget(this.#key)
  }

  /** Looks whether somebody else has saved, and takes it over. While one writes that can wait: the next save hears of it. */
  async refresh(): Promise<void> {
    const [post, saved] = [this.post.peek(), this.#saved]
    if (!post || this.state.peek() !== 'saved') return
    const theirs = await readEdited(this.verso, post.id)
    if (this.state.peek() === 'saved' && this.#saved === saved) this.#merge(theirs)
  }

  /** Takes over what Verso has now, such as after an action that has changed the post. */
  async reload(): Promise<void> {
    const id = this.post.peek()?.id
    if (id !== undefined) this.#merge(await readEdited(this.verso, id))
  }

  /** Ends a dispute with the values that were chosen, and saves them. */
  settle({ theirs, isPost }: Dispute, chosen: Partial<EditFields>): void {
    this.dispute.value = undefined
    this.#learn(theirs, isPost)
    this.#arrive({ ...this.#current, ...chosen })
    void this.flush()
  }

  /** Goes back to what is saved. */
  revert(): void {
    this.#isTyped = false
    this.#isTouched.value = false
    this.#arrive(this.#saved)
    void forget(this.#key)
  }

  /** Takes up an edit that was discarded. What was written meanwhile stays, where the edit has not changed the same. */
  bringBack(edit: EditFields): void {
    const post = this.post.peek()
    const base = post ? fieldsOf(post) : emptyFields
    this.#arrive(mergeFields(base, edit, this.#current).fields)
    this.#touch()
  }

  /** Keeps what is written and not saved in the browser. */
  async keep(): Promise<void> {
    this.#keeping.stop()
    if (this.#isChanged()) this.isKept = await keep(this.#key, { fields: this.fields.peek(), saved: this.#saved, sent: this.#sent })
  }

  /** Lets another editor go on with a new post. One that is tried again goes on here. */
  release(): void {
    if (!this.isWaiting) this.#release?.()
  }

  /** What is written by now. */
  get #current(): EditFields {
    const text = this.#isTyped ? this.editor.peek()?.state.sliceDoc() : undefined
    this.#isTyped = false
    if (text !== undefined) this.#put({ content: text })
    return this.fields.peek()
  }

  #isChanged(): boolean {
    return Object.keys(changedFields(this.#saved, this.#current)).length > 0
  }

  #unsaved(): Partial<EditFields> {
    const { title, ...rest } = changedFields(this.#saved, this.#current)
    // A new post gets a title that says so. Of another one Verso says that it needs one.
    const isLeftOut = title === undefined || (!this.post.peek() && title.trim() === '')
    return without(isLeftOut ? rest : { ...rest, title }, this.faults.peek())
  }

  async #save(): Promise<void> {
    const [post, fields] = [this.post.peek(), this.#unsaved()]
    const sent = { ...this.#saved, ...fields }
    this.#sent = sent
    const kept = this.keep()
    try {
      if (post) await this.#savePending(post, fields, sent)
      else await this.#create(sent)
    } catch (error) {
      // One hears that it is kept when it is.
      await kept
      await this.#judge(error, fields)
    }
  }

  async #create(sent: EditFields): Promise<void> {
    const kept = this.#key
    const post = await createPost(this.verso, { ...sent, title: sent.title.trim() || t('editor.untitled') }, this.#name)
    this.post.value = post
    this.#saved = { ...sent, slug: post.slug }
    const typed = this.fields.peek()
    const made = typed.title === sent.title ? '' : slugFrom(typed.title)
    if (typed.slug === '') this.fields.value = { ...typed, slug: made || post.slug }
    void forget(kept).then(this.#release)
    // Unless one has left meanwhile it has an address of its own from now on, without being opened anew.
    if (address.peek().parts.at(-1) === 'new') history.replaceState(history.state, '', screenPath('posts', post.id))
  }

  async #savePending(post: Post, fields: Partial<EditFields>, sent: EditFields): Promise<void> {
    const before = this.pending.peek()
    const basedOn = this.#basedOn ?? (before ? undefined : post.version)
    const pending = await saveEdit(this.verso, post.id, { ...fields, ...(basedOn !== undefined && { basedOn }) }, before)
    this.#basedOn = undefined
    this.#saved = sent
    this.pending.value = pending
    if (pending.conflicts.length > 0) await this.mergePost(pending)
  }

  /** Merges what was changed of the post itself since its edit began. */
  async mergePost(pending: PendingEdit): Promise<void> {
    const post = await this.verso.posts.get(pending.id)
    this.#merge({ post, pending }, await readVersion(this.verso, post.id, pending.basedOn), true)
  }

  async #judge(error: unknown, sent: Partial<EditFields>): Promise<void> {
    const problem = error instanceof Problem ? error : undefined
    if (problem?.code === 'stale_version') return this.reload().catch((later: unknown) => this.#judge(later, sent))
    const faults = problem ? faultsIn(problem, sent) : {}
    this.faults.value = { ...this.faults.peek(), ...faults }
    if (Object.keys(faults).length > 0) return
    this.failure.value = failureOf(error, this.isKept)
    setTimeout(() => this.retry(), retryMs)
  }

  /** Whether nothing is wrong with what is written: it is sent again. */
  get isWaiting(): boolean {
    return ['offline', 'failing', 'unkept'].includes(this.state.peek())
  }

  retry(): void {
    if (this.isWaiting) void this.flush()
  }

  /** Merges what Verso has with what is written here; both began with `base`. Where both have changed the same, somebody has to choose. */
  #merge(theirs: Edited, base = this.#saved, isPost = false): void {
    const { fields, conflicts } = mergeFields(base, this.#current, fieldsOf((!isPost && theirs.pending) || theirs.post))
    this.#arrive(fields)
    if (conflicts.length > 0) this.dispute.value = { conflicts, theirs, isPost }
    else this.#learn(theirs, isPost)
  }

  /** What Verso has. With `isPost` the edit continues the post as it is now. */
  #learn({ post, pending }: Edited, isPost = false): void {
    this.post.value = post
    this.pending.value = pending
    this.#saved = fieldsOf((!isPost && pending) || post)
    if (isPost) this.#basedOn = post.version
  }

  /** Editors show at once what comes from elsewhere: what one types before they do would be gone. */
  #arrive(fields: EditFields): void {
    this.faults.value = without(this.faults.peek(), changedFields(this.fields.peek(), fields))
    this.fields.value = fields
    const view = this.editor.peek()
    if (view) showText(view, fields.content)
  }
}
