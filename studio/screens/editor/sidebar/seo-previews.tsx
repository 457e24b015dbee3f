import type { EditFields } from '../../../api/edits.ts'
import { t } from '../../../i18n/catalogue.ts'

interface SeoPreviewProps {
  readonly fields: EditFields
  readonly address: string | undefined
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).trimEnd()}…` : text)
const plain = (markdown: string) =>
  markdown
    .slice(0, 600)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[#>*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const titleOf = ({ seo, title }: EditFields) => seo.title ?? title
const descriptionOf = ({ seo, excerpt, content }: EditFields) => seo.description ?? excerpt ?? plain(content)

/** About as a search engine shows it. */
export function SearchPreview({ fields, address }: SeoPreviewProps) {
  return (
    <figure class="seo-search">
      <figcaption class="label">{t('editor.searchPreview')}</figcaption>
      <span class="seo-address">{address ?? fields.slug}</span>
      <strong>{cut(titleOf(fields), 60)}</strong>
      <span>{cut(descriptionOf(fields), 155)}</span>
    </figure>
  )
}

/** About as it is shown where somebody shares it. */
export function CardPreview({ fields, address }: SeoPreviewProps) {
  const image = fields.seo.ogImage
  return (
    <figure class="seo-card">
      <figcaption class="label">{t('editor.cardPreview')}</figcaption>
      <div>
        {image && /^https?:\/\//.test(image) && <img src={image} alt="" referrerpolicy="no-referrer" />}
        <strong>{cut(titleOf(fields), 70)}</strong>
        <span>{cut(descriptionOf(fields), 100)}</span>
        <span class="seo-address">{address ? new URL(address).host : ''}</span>
      </div>
    </figure>
  )
}
