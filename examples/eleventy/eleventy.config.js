export default function config(eleventy) {
  eleventy.addFilter('day', (date) => new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }))
}
