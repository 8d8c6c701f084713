"""What counts as one sender: an IPv4 address, or an IPv6 network of 64 bits."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Providers assign 64 bits or more to a household (RFC 6177), which can then use any address of them.
HOUSEHOLD = 64  # bits
# Networks that translate between the protocols put an IPv4 address into the last 32 bits (RFC 6052).
NAT64 = IPv6Network("64:ff9b::/96")


def network_of(address: str) -> str:
    """Return the same text for addresses of one household; other texts than IP addresses stay as they are.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> network_of("64:ff9b::c000:207")
    '192.0.2.7'
    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("2001:DB8:1:2::9%eth0")
    ('2001:db8:1:2::', '2001:db8:1:2::')
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    # A server that listens on both protocols sees IPv4 addresses in this form. Their first 64 bits are alike.
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip in NAT64:
        return str(IPv4Address(ip.packed[-4:]))
    return str(IPv6Network((ip, HOUSEHOLD), strict=False).network_address)
