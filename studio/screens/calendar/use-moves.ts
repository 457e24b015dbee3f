import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dateOf, type PlannedPost } from '../../api/calendar.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { attempt, say } from '../../ui/layers.tsx'
import type { Loading } from '../../ui/loading.tsx'

interface Move {
  readonly post: PlannedPost
  readonly from: Date
  readonly at: Date
  /** Runs until the move is saved. */
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Several steps by keyboard are one change, made when there is no further one for so long. */
const restMs = 600

/** The posts as they are moved: shown at once, and saved when the moving rests. */
export function useMoves({ value = [], reload }: Loading<readonly PlannedPost[]>, onMove: (to: Date) => void) {
  // Keys come faster than renderings.
  const last = useRef<Move>(undefined)
  const focused = useRef<string>(undefined)
  const [, render] = useState<Move>()
  const show = (move: Move | undefined) => {
    last.current = move
    render(move)
  }
  const save = async (move: Move) => {
    if (move.timer === undefined) return
    clearTimeout(move.timer)
    move.timer = undefined
    const { id, title } = move.post
    const put = (at: Date) => verso().posts.update(id, { scheduledFor: at.toISOString() })
    const isDone = await attempt(() => put(move.at))
    const undo = async () => {
      await put(move.from)
      show(undefined)
      reload()
    }
    if (isDone) say(t('calendar.moved', { title, date: formatDate(move.at, 'time') }), undo)
    else show(undefined)
    reload()
  }
  const move = (post: PlannedPost, to: (from: Date) => Date) => {
    const before = last.current?.post.id === post.id ? last.current : undefined
    const at = to(before?.at ?? dateOf(post))
    if (at.getTime() <= Date.now()) return say(t('calendar.past'))
    if (last.current && !before) void save(last.current)
    clearTimeout(before?.timer)
    const next: Move = { post, from: (before?.timer ? before.from : before?.at) ?? dateOf(post), at, timer: undefined }
    next.timer = setTimeout(() => save(next), restMs)
    show(next)
    onMove(at)
  }
  useEffect(() => () => void (last.current && save(last.current)), [])
  // In another day it is another element.
  useLayoutEffect(() => {
    if (focused.current === last.current?.post.id) document.querySelector<HTMLElement>(`[data-post="${focused.current}"] a`)?.focus()
  }, [last.current, value])

  const posts = value.filter(({ id }) => id !== last.current?.post.id)
  if (last.current) posts.push({ ...last.current.post, scheduledFor: last.current.at.toISOString() })
  return { posts: posts.sort((a, b) => dateOf(a).getTime() - dateOf(b).getTime()), focused, move }
}
