#!/usr/bin/env bash
# Follows the Dockerfile step by step without a container engine, for machines that have none: each stage is a
# folder, RUN runs in it with this machine's tools, and the last stage is entered by chroot, as its user, with
# nothing but the C library added. Then the server has to start, call itself healthy, answer, and stop.
# Needs root (for chroot). CACHE=folder keeps the build between runs; PORT is the port to listen on.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
cache=${CACHE:-$work/cache}
port=${PORT:-18085}
token=try-dockerfile-0123456789
# The stage's own environment has no path to it.
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)
server=
finish() {
  if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

say() { echo "try-dockerfile: $*"; }
die() { say "$*"; exit 1; }

# The build context: what git knows, less what .dockerignore names.
mkdir -p "$work/context"
git ls-files -z --cached --others --exclude-standard | tar --exclude-from=.dockerignore --null --files-from=- -cf - | tar -xf - -C "$work/context"

declare -A stages=()
declare -a environment=() entrypoint=() arguments=() health=() items=()
root='' folder=/ user=0 volume='' signal=TERM

words() { mapfile -t "$1" < <(sed 's/^ *\[ *"//; s/" *\] *$//; s/" *, *"/\n/g' <<<"$2"); }

follow() {
  local word=$1 rest=$2 from="$work/context" owner='' target items
  case $word in
    FROM)
      root="$work/stage${#stages[@]}"
      stages[${rest##* }]=$root
      environment=() folder=/ user=0
      mkdir -p "$root"
      ;;
    WORKDIR) folder=$rest; mkdir -p "$root$folder" ;;
    ENV) read -ra items <<<"$rest"; environment+=("${items[@]}") ;;
    USER) user=$rest ;;
    VOLUME) volume=$rest ;;
    STOPSIGNAL) signal=${rest#SIG} ;;
    EXPOSE) ;;
    ENTRYPOINT) words entrypoint "$rest" ;;
    CMD) words arguments "$rest" ;;
    HEALTHCHECK) words health "${rest#*CMD }" ;;
    COPY)
      read -ra items <<<"$rest"
      while [[ ${items[0]} == --* ]]; do
        case ${items[0]} in
          --from=*) from=${stages[${items[0]#--from=}]} ;;
          --chown=*) owner=${items[0]#--chown=} ;;
          *) die "COPY ${items[0]} is not understood" ;;
        esac
        items=("${items[@]:1}")
      done
      [ "${#items[@]}" = 2 ] || die "COPY takes one source here: $rest"
      target=${items[1]}
      [[ $target == /* ]] || target="$folder/$target"
      mkdir -p "$root$(dirname "$target")"
      if [ -d "$from/${items[0]}" ]; then
        mkdir -p "$root$target"
        cp -R "$from/${items[0]}/." "$root$target"
      else
        cp "$from/${items[0]}" "$root$target"
      fi
      if [ -n "$owner" ]; then chown -R "$owner" "$root$target"; fi
      ;;
    RUN)
      while [[ $rest =~ ^--mount=type=cache,target=([^ ]+)\ +(.*)$ ]]; do
        target=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
        # A cache inside the stage is kept; one of the image's own (Cargo's registry) is this machine's.
        if [[ $target == "$folder"/* ]]; then
          mkdir -p "$cache$target"
          ln -sfn "$cache$target" "$root$target"
        fi
      done
      (cd "$root$folder" && env -u CARGO_TARGET_DIR "${environment[@]}" sh -ec "$rest")
      ;;
    *) die "$word is not understood" ;;
  esac
}

joined=
while IFS= read -r line || [ -n "$line" ]; do
  [[ -z $joined && ($line =~ ^[[:space:]]*# || -z ${line// /}) ]] && continue
  joined+=${line%\\}
  [[ $line == *\\ ]] && continue
  joined=$(tr -s ' ' <<<"$joined")
  say "$joined"
  follow "${joined%% *}" "${joined#* }"
  joined=
done <Dockerfile

# What the last stage's base image brings, as far as the binary may rely on it.
binary="$root${entrypoint[0]}"
mkdir -p "$root/tmp"
chmod 1777 "$root/tmp"
while read -r library; do
  case $(basename "$library") in
    ld-linux* | libc.so* | libm.so* | libgcc_s.so* | libpthread.so* | libdl.so* | librt.so*)
      mkdir -p "$root$(dirname "$library")"
      cp -L "$library" "$root$library"
      ;;
    *) die "the binary needs $library, which the image does not have" ;;
  esac
done < <(ldd "$binary" | grep -o '/[^ ]*')
[ "$user" != 0 ] || die "the image runs as root"
[ -d "$root$volume" ] || die "there is no folder for the volume $volume"

(
  exec env -i "${environment[@]}" PORT="$port" API_TOKEN="$token" \
    "$chroot" --userspec="$user" "$root" "${entrypoint[@]}" "${arguments[@]}"
) >"$work/log" 2>&1 &
server=$!

healthy() { env -i "${environment[@]}" PORT="$port" API_TOKEN="$token" "$chroot" --userspec="$user" "$root" "${health[@]}" >>"$work/log" 2>&1; }
for _ in $(seq 100); do
  if healthy; then break; fi
  kill -0 "$server" 2>/dev/null || { cat "$work/log"; die "the server ended"; }
  sleep 0.2
done
healthy || { cat "$work/log"; die "the health check fails"; }
say "healthy as user $user"

page=$(curl --fail --silent --show-error --location "http://127.0.0.1:$port/login")
grep -q 'name="token"' <<<"$page" || die "the login page has no field for the token"
curl --fail --silent --output /dev/null "http://127.0.0.1:$port/pkg/conveyor.wasm" || die "the dashboard is not inside"
[ "$(find "$root$volume" -name conveyor.db | wc -l)" = 1 ] || die "no database in the volume"

kill -s "$signal" "$server"
code=0
wait "$server" || code=$?
server=
[ "$code" = 0 ] || { cat "$work/log"; die "stopping ended with $code"; }
say "stopped by SIG$signal; binary $(stat -c %s "$binary") bytes. All steps hold"
