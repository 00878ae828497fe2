// The file that Terraform starts on Linux: it becomes the executable for this system's C library.

/** The dynamic loaders, by which a system with either library is known. */
export type Loaders = { readonly glibc: string; readonly musl: string };

/**
 * Of systems that have both loaders, Debian can run either executable. On Alpine the other one is
 * gcompat's, which does not carry Bun.
 */
export const launcherOf = ({ glibc, musl }: Loaders): string => `#!/bin/sh
folder=$(dirname "$0")
case $(readlink -f ${glibc}) in
  *gcompat*) ;;
  *) [ -e ${glibc} ] && exec "$folder/provider-glibc" "$@" ;;
esac
[ -e ${musl} ] && exec "$folder/provider-musl" "$@"
echo "The provider pager needs glibc or musl: there is neither ${glibc} nor ${musl}." >&2
exit 1
`;
