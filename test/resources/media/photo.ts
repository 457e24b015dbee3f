/** A body for `POST /v1/media`. */
export const photo = {
  url: 'https://assets.example.com/2026/harbour.jpg',
  filename: 'harbour.jpg',
  mimeType: 'image/jpeg',
  size: 48_213,
  width: 1_600,
  height: 900,
  alt: 'The harbour at dusk',
}
