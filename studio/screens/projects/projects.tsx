import { session } from '../../api/session.ts'
import { t } from '../../i18n/catalogue.ts'
import { pathTo } from '../../route/router.ts'

/** Where a person chooses among their projects. */
export function Projects() {
  const projects = session.value?.projects ?? []
  return (
    <main class="door">
      <div>
        <h1>{t('projects.title')}</h1>
        {projects.length === 0 && <p class="door-note">{t('projects.none')}</p>}
        <ul class="choices">
          {projects.map(({ id, slug, name, role }) => (
            <li key={id}>
              <a href={pathTo(['in', slug, 'posts'])}>
                <strong>{name}</strong>
                <span>{t(`roles.${role}`)}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </main>
  )
}
