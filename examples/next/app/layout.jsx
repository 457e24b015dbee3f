import Link from 'next/link'
import './style.css'

export const metadata = { title: { default: 'The harbour log', template: '%s · The harbour log' } }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <p>
          <Link href="/">The harbour log</Link>
        </p>
        {children}
      </body>
    </html>
  )
}
