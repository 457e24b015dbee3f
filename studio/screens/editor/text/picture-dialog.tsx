import { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import { screenPath } from '../../../route/router.ts'
import { FormDialog, TextField, textIn } from '../../../ui/form.tsx'
import { show } from '../../../ui/layers.tsx'

/** Puts a text in place of what is selected. */
export function put(view: EditorView, text: string): void {
  const change = view.state.replaceSelection(Text.of(text.split(/\r\n?|\n/)))
  view.dispatch(change, { userEvent: 'input.paste', scrollIntoView: true })
}

/** Asks where a picture is: Verso keeps its address, not its bytes. */
export function askForPicture(view: EditorView): void {
  const insert = async (values: FormData) => {
    const alt = textIn(values, 'alt').replace(/[[\]\\]/g, '\\$&')
    const url = new URL(textIn(values, 'url')).href.replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    put(view, `![${alt}](${url})`)
  }
  show(
    <FormDialog title={t('editor.picture')} submit={t('editor.insert')} onSubmit={insert}>
      <p>{t('editor.pictureByAddress')}</p>
      <TextField label={t('media.url')} name="url" type="url" placeholder="https://" required autofocus />
      <TextField label={t('media.alt')} name="alt" hint={t('media.altHint')} maxLength={2000} />
      <p>
        <a href={screenPath('media')}>{t('editor.toPictures')}</a>
      </p>
    </FormDialog>,
  )
}
