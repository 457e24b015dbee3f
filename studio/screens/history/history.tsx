import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PostRevision } from '../../api/verso.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { address, canChange, navigate, queryText, screenPath, verso } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { Select } from '../../ui/form.tsx'
import { attempt, say } from '../../ui/layers.tsx'
import { Loaded, ProblemPanel, useLoaded, usePages } from '../../ui/loading.tsx'
import { ListEnd } from '../../ui/rows.tsx'
import { Comparison } from './comparison.tsx'

type Numbered = { readonly version: number }

/** Which two versions are shown stands in the address. */
const numberIn = (name: 'version' | 'against') => Number(address.value.query.get(name)) || undefined
const pathOf = (idOrSlug: string, version?: number, against?: number) =>
  screenPath('posts', idOrSlug, 'history') + queryText({ version, against })

/** The versions of a post, and what differs between two of them. */
export function Screen({ id: idOrSlug = '' }: { readonly id?: string }) {
  const post = useLoaded(idOrSlug, (stop) => verso().posts.get(idOrSlug, { exclude: 'content' }, stop))
  const versions = usePages(idOrSlug, (more, stop) =>
    verso().request('GET /v1/posts/{idOrSlug}/revisions', { idOrSlug, limit: 50, ...more }, stop),
  )
  const { value: items = [] } = versions
  const asked = numberIn('version')
  const chosen = asked ?? items[0]?.version
  const step = (by: number) => () => {
    const to = items[items.findIndex(({ version }) => version === chosen) + by]
    if (to) navigate(pathOf(idOrSlug, to.version), { replace: true })
  }
  useCommands([
    { title: t('history.older'), keys: 'j', run: step(1) },
    { title: t('history.newer'), keys: 'k', run: step(-1) },
  ])
  const reload = () => {
    post.reload()
    versions.reload()
  }
  /** Makes a new version with the texts of an older one, unless somebody has changed the post meanwhile. */
  const put = async (version: number, ifMatch: Numbered) => {
    const given = { idOrSlug, version: String(version) }
    const made = await verso().request('POST /v1/posts/{idOrSlug}/revisions/{version}/restore', given, { ifMatch })
    navigate(pathOf(idOrSlug))
    reload()
    return made
  }
  const restore = (version: number, current: Numbered) =>
    attempt(async () => {
      const made = await put(version, current)
      say(t('history.restored', { version }), () => put(current.version, made))
    })

  const { value: now } = post
  const error = post.error ?? versions.error
  return (
    <>
      <a class="page-back" href={screenPath('posts', idOrSlug)}>
        <Icon name="back" />
        <span>{now?.title}</span>
      </a>
      <header class="page-head">
        <h1>{t('history.title')}</h1>
        {now && chosen !== undefined && chosen !== now.version && canChange(now.status) && (
          <Button
            kind="primary"
            label={t('history.restore', { version: chosen })}
            title={t('history.restoreWhat')}
            onClick={() => restore(chosen, now)}
          />
        )}
      </header>
      {error ? (
        <ProblemPanel error={error} retry={reload} />
      ) : (
        <div class="history" data-open={asked === undefined ? undefined : ''}>
          <ol class="history-list" aria-label={t('history.versions')}>
            {items.map((revision, i) => (
              <li key={revision.version}>
                <a
                  class="history-version"
                  href={pathOf(idOrSlug, revision.version)}
                  aria-current={revision.version === chosen ? 'true' : undefined}
                >
                  <span class="history-when">
                    <time dateTime={revision.createdAt}>{formatDate(revision.createdAt, 'time')}</time>
                    <span>{i === 0 ? t('history.now') : revision.version}</span>
                  </span>
                  <span class="history-what">{`${whoWrote(revision)} · ${whatChanged(revision)}`}</span>
                </a>
              </li>
            ))}
            <li>
              <ListEnd more={versions.more} />
            </li>
          </ol>
          {chosen !== undefined && <Panel idOrSlug={idOrSlug} version={chosen} versions={items} />}
        </div>
      )}
    </>
  )
}

/** The person or the key, and the program, where it says its name. */
function whoWrote({ actor, actorName, client }: PostRevision): string {
  const known = (['cli', 'import', 'schedule'] as const).find((each) => each === actor) ?? (actor.startsWith('key_') ? 'key' : undefined)
  const who = actorName ?? (known ? t(`history.by_${known}`) : actor)
  return client === null ? who : t('history.with', { who, client })
}

function whatChanged({ version, changed }: PostRevision): string {
  return version === 1 ? t('history.created') : changed.map((field) => t(`history.field_${field}`)).join(', ')
}

interface PanelProps {
  readonly idOrSlug: string
  readonly version: number
  readonly versions: readonly Numbered[]
}

/** One version, compared with another one: 0 is none. */
function Panel({ idOrSlug, version, versions }: PanelProps) {
  const against = numberIn('against') ?? version - 1
  const loaded = useLoaded(`${version} ${against}`, async (stop) => {
    const read = (which: number) =>
      verso().request('GET /v1/posts/{idOrSlug}/revisions/{version}', { idOrSlug, version: String(which) }, stop)
    const [after, before] = await Promise.all([read(version), against > 0 ? read(against) : undefined])
    // A later version may be compared with an earlier one or the other way round: the earlier stands before.
    return before && against > version ? { before: after, after: before } : { before, after }
  })
  const heading = useRef<HTMLHeadingElement>(null)
  // On a narrow window it takes the place of the list.
  useLayoutEffect(() => {
    if (document.querySelector('.history-list')?.clientHeight === 0) heading.current?.focus()
  }, [version])
  const others = versions.filter((other) => other.version !== version)
  const options = others.map((other) => [String(other.version), t('history.version', { version: other.version })] as const)
  return (
    <section class="history-panel" aria-busy={!loaded.value}>
      <a class="page-back history-all" href={pathOf(idOrSlug)}>
        <Icon name="back" />
        {t('history.all')}
      </a>
      <div class="history-head">
        <h2 ref={heading} tabIndex={-1}>
          {t('history.version', { version })}
        </h2>
        {others.length > 0 && (
          <div>
            <span aria-hidden="true">{t('history.against')}</span>
            <Select
              class="quiet-select"
              aria-label={t('history.against')}
              value={String(against)}
              options={against === 0 ? [['0', t('history.nothing')], ...options] : options}
              onChange={(other) => navigate(pathOf(idOrSlug, version, Number(other)), { replace: true })}
            />
          </div>
        )}
      </div>
      <Loaded from={loaded}>{(compared) => <Comparison {...compared} />}</Loaded>
    </section>
  )
}
