// What a process costs: from /proc where that is, from ps elsewhere (macOS).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Clock ticks per second in /proc (sysconf(_SC_CLK_TCK) on every Linux that Node runs on). */
const ticksPerSecond = 100
const hasProc = existsSync('/proc/self/stat')

/** CPU seconds so far, of all threads. */
export function cpuSecondsOf(pid) {
  if (!hasProc) return secondsIn(ps(pid, 'time'))
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Milliseconds of CPU that the main thread of a process had so far, to the nanosecond; none where the system does not tell. */
export function mainThreadMsOf(pid) {
  const path = `/proc/${pid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : undefined
}

/** Resident memory in MiB: all of it, the pages of files included that other processes share. */
export function memoryMbOf(pid) {
  return (hasProc ? inKib(`/proc/${pid}/status`, 'VmRSS') : Number(ps(pid, 'rss'))) / 1024
}

/** The most of it that there was; none where the system does not tell. */
export function mostMemoryMbOf(pid) {
  return hasProc ? inKib(`/proc/${pid}/status`, 'VmHWM') / 1024 : undefined
}

/** Shared pages divided by those who share them (PSS); none where the system does not tell. */
export function fairMemoryMbOf(pid) {
  return hasProc ? inKib(`/proc/${pid}/smaps_rollup`, 'Pss') / 1024 : undefined
}

function inKib(file, name) {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))[1])
}

function ps(pid, column) {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()
}

/** Of [[days-]hours:]minutes:seconds. */
function secondsIn(time) {
  const [clock, days = '0'] = time.split('-').reverse()
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400
}
