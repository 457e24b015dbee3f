import { BlockList, isIP } from 'node:net'

/** Special-purpose ranges of the IANA registry (RFC 6890), with multicast and reserved ranges. */
const forbiddenIpv4 = [
  '0.0.0.0/8', // this network, the unspecified address
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]
/** Of IPv6, only global unicast is allowed. Mapped and translated IPv4 (::ffff:0:0/96, 64:ff9b::/96), unique-local, link-local and multicast lie outside. */
const openIpv6 = '2000::/3'
/** Ranges within it that are special or embed an IPv4 address. */
const forbiddenIpv6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]

/** Addresses and names that are allowed by configuration although they are not public. */
interface Allowed {
  readonly addresses: BlockList
  readonly hosts: ReadonlySet<string>
}

/** Decides where requests may go. */
export interface AddressGuard {
  /** Whether a request to this host name may go to this address. */
  allows(host: string, address: string): boolean
}

/** Guards with the entries of `VERSO_WEBHOOK_ALLOW`: addresses, networks (`10.0.0.0/8`) and host names. */
export function guardAddresses(entries: readonly string[]): AddressGuard {
  const allowed = readAllowed(entries)
  const forbidden = blockListOf([...forbiddenIpv4, ...forbiddenIpv6])
  const open = blockListOf([openIpv6])
  return {
    allows(host, address) {
      const family = familyOf(address)
      if (family === undefined) return false
      if (allowed.hosts.has(host.toLowerCase()) || allowed.addresses.check(address, family)) return true
      return !forbidden.check(address, family) && (family === 'ipv4' || open.check(address, family))
    },
  }
}

function readAllowed(entries: readonly string[]): Allowed {
  const isAddress = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0
  return {
    addresses: blockListOf(entries.filter(isAddress)),
    hosts: new Set(entries.filter((entry) => !isAddress(entry)).map((entry) => entry.toLowerCase())),
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (family === undefined) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** None for text that is not an address, and for an address with a zone (`fe80::1%eth0`), which names an interface of this machine. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = address.includes('%') ? 0 : isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}
