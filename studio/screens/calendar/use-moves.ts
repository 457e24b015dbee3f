import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dateOf, type PlannedPost, reschedule } from '../../api/calendar.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import type { Loading } from '../../ui/loading.ts'
import { attempt, say } from '../../ui/toasts.tsx'

/** Several steps by keyboard are one change, made when there is no further one for so long. */
const restMs = 600

/** The posts as they are moved: shown at once, and saved when the moving rests. */
export function useMoves({ value = [], reload }: Loading<readonly PlannedPost[]>, onMove: (to: Date) => void) {
  /** The post as it was before its first step, and where it is now. */
  const [moved, setMoved] = useState<{ readonly post: PlannedPost; readonly at: Date }>()
  const waiting = useRef<() => Promise<void>>(undefined)
  const focused = useRef<string>(undefined)

  const move = (shown: PlannedPost, at: Date) => {
    if (at.getTime() <= Date.now()) return say(t('calendar.past'))
    const isGoingOn = waiting.current !== undefined && moved?.post.id === shown.id
    if (!isGoingOn) void waiting.current?.()
    const post = isGoingOn ? moved.post : shown
    const save = async () => {
      if (waiting.current !== save) return
      waiting.current = undefined
      await attempt(async () => {
        const saved = await reschedule(api(), post, at)
        say(t('calendar.moved', { title: post.title, date: formatDate(at, 'time') }), async () => {
          await reschedule(api(), saved, dateOf(post))
          setMoved(undefined)
          reload()
        })
      }).then((isDone) => isDone || setMoved(undefined))
      reload()
    }
    waiting.current = save
    setTimeout(save, restMs)
    setMoved({ post, at })
    onMove(at)
  }
  useEffect(() => () => void waiting.current?.(), [])
  // In another day it is another element.
  useLayoutEffect(() => {
    if (moved && moved.post.id === focused.current) document.querySelector<HTMLElement>(`[data-post="${focused.current}"] a`)?.focus()
  }, [moved, value])

  const shown = value.filter(({ id }) => id !== moved?.post.id)
  if (moved) shown.push({ ...(value.find(({ id }) => id === moved.post.id) ?? moved.post), scheduledFor: moved.at.toISOString() })
  return { posts: shown.sort((a, b) => dateOf(a).getTime() - dateOf(b).getTime()), focused, move }
}
