import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dateOf, listPlanned, type PlannedPost } from '../../api/calendar.ts'
import { firstWeekday, formatDate, t } from '../../i18n/catalogue.ts'
import { otherZone, wallTime } from '../../i18n/time-zone.ts'
import { address, can, navigate, queryText, screenPath, verso } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { attempt, say, show } from '../../ui/layers.tsx'
import { type Loading, ProblemPanel, useLoaded } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/rows.tsx'
import { TimeField, useSite } from '../../ui/time-field.tsx'

/** `2026-11-05`, in one's own time zone. */
const dayOf = (date: Date) => wallTime(date).slice(0, 10)
/** A time of day, some days after a day. */
const onDay = (day: Date, time: Date, plus = 0) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + plus, time.getHours(), time.getMinutes())

/** The days that a month shows: whole weeks. */
function daysOf(month: Date): readonly Date[] {
  const before = (month.getDay() - firstWeekday() + 7) % 7
  const length = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate()
  return Array.from({ length: Math.ceil((before + length) / 7) * 7 }, (_, i) => onDay(month, month, i - before))
}

/** A month of published and scheduled posts, in one's own time zone. Those that are scheduled can be moved. */
export function Screen() {
  const now = new Date()
  const named = /^\d{4}-(?:0[1-9]|1[0-2])$/.exec(address.value.query.get('month') ?? '')?.[0] ?? dayOf(now).slice(0, 7)
  const month = new Date(`${named}-01T00:00`)
  const days = daysOf(month)
  const [first = month, last = month] = [days[0], days.at(-1)]
  const end = onDay(last, first, 1)
  const open = (date: Date) => navigate(screenPath('calendar') + queryText({ month: dayOf(date).slice(0, 7) }), { replace: true })
  const turn = (by: number) => () => open(new Date(month.getFullYear(), month.getMonth() + by))
  const zone = otherZone(useSite()?.timeZone ?? '')
  const loaded = useLoaded(named, (stop) => listPlanned(verso(), first, end, stop))
  const { posts, focused, move } = useMoves(loaded, (to) => (to < first || to >= end) && open(to))
  const [over, setOver] = useState<string>()
  const step = (by: number) => () => {
    const post = posts.find(({ id, status }) => id === focused.current && status === 'scheduled')
    if (post) move(post, (from) => onDay(from, from, by))
  }
  useCommands([
    { title: t('calendar.previous'), keys: 'pageup', run: turn(-1) },
    { title: t('calendar.next'), keys: 'pagedown', run: turn(1) },
    { title: t('calendar.today'), keys: 't', run: () => open(now) },
    { title: t('calendar.dayEarlier'), keys: 'shift+arrowleft', run: step(-1) },
    { title: t('calendar.dayLater'), keys: 'shift+arrowright', run: step(1) },
    { title: t('calendar.weekEarlier'), keys: 'shift+arrowup', run: step(-7) },
    { title: t('calendar.weekLater'), keys: 'shift+arrowdown', run: step(7) },
  ])
  const entry = (post: PlannedPost) => {
    const { id, title, status } = post
    const canMove = status === 'scheduled' && can('posts:publish')
    const ask = () => show(<Reschedule post={post} onMove={(to) => move(post, () => to)} />)
    return (
      <li
        key={`${id} ${status}`}
        class={`day-post ${status}`}
        data-post={status === 'update' ? undefined : id}
        draggable={canMove}
        onDragStart={(event) => event.dataTransfer?.setData('text/plain', id)}
        onDragEnd={() => setOver(undefined)}
        onFocusIn={() => {
          focused.current = status === 'update' ? undefined : id
        }}
      >
        <a href={screenPath('posts', id)} draggable={false}>
          <span class="day-time" title={zone && `${formatDate(dateOf(post), 'time', zone)} (${zone})`}>
            <span class={`mark ${status}`} aria-hidden="true" />
            {formatDate(dateOf(post), 'clock')}
            <span class="hidden">{t(`status.${status}`)}</span>
          </span>
          <span class="day-title">{title}</span>
        </a>
        {canMove && <Button icon="calendar" label={t('calendar.rescheduleOne', { title })} onClick={ask} />}
      </li>
    )
  }
  const drop = (event: DragEvent, day: Date) => {
    event.preventDefault()
    setOver(undefined)
    const post = posts.find(({ id }) => id === event.dataTransfer?.getData('text/plain'))
    if (post) move(post, (from) => onDay(day, from))
  }
  const isInMonth = (date: Date) => date.getMonth() === month.getMonth()
  return (
    <>
      <PageHead title={formatDate(month, 'month')}>
        <div class="calendar-steps">
          <Button icon="back" label={t('calendar.previous')} onClick={turn(-1)} />
          <Button kind="quiet" label={t('calendar.today')} onClick={() => open(now)} />
          <Button icon="back" label={t('calendar.next')} onClick={turn(1)} />
        </div>
      </PageHead>
      {loaded.error !== undefined && <ProblemPanel error={loaded.error} retry={loaded.reload} />}
      <ol class="month" aria-busy={!loaded.value}>
        {days.map((day) => (
          <li
            key={dayOf(day)}
            class={['day', isInMonth(day) || 'outside', dayOf(day) === dayOf(now) && 'today', dayOf(day) === over && 'over'].join(' ')}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(dayOf(day))
            }}
            onDrop={(event) => drop(event, day)}
          >
            <span class="day-weekday" aria-hidden="true">
              {formatDate(day, 'weekday')}
            </span>
            <span class="day-number" aria-hidden="true">
              {day.getDate()}
            </span>
            <span class="day-date">{formatDate(day, 'date')}</span>
            <ul class="day-posts">{posts.filter((post) => dayOf(dateOf(post)) === dayOf(day)).map(entry)}</ul>
          </li>
        ))}
      </ol>
      {loaded.value && !posts.some((post) => isInMonth(dateOf(post))) && <p class="empty month-empty">{t('calendar.none')}</p>}
    </>
  )
}

function Reschedule({ post, onMove }: { readonly post: PlannedPost; onMove(to: Date): void }) {
  const [at, setAt] = useState(() => dateOf(post))
  const title = t('calendar.reschedule')
  return (
    <FormDialog title={title} submit={title} onSubmit={async () => onMove(at)}>
      <p>{post.title}</p>
      <TimeField value={at} onInput={setAt} />
    </FormDialog>
  )
}

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
function useMoves({ value = [], reload }: Loading<readonly PlannedPost[]>, onMove: (to: Date) => void) {
  // Keys come faster than renderings.
  const last = useRef<Move>(undefined)
  const focused = useRef<string>(undefined)
  const [, render] = useState<Move>()
  const showMove = (move: Move | undefined) => {
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
    const restore = () => {
      showMove(undefined)
      reload()
    }
    if (!isDone) return restore()
    say(t('calendar.moved', { title, date: formatDate(move.at, 'time') }), () => put(move.from).then(restore))
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
    showMove(next)
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
