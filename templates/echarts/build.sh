#!/bin/sh
# Builds echarts.min.js from the pinned npm packages and checks it against SHA256SUMS.
# usage: ./build.sh            (needs node and npm; only for those who change the build)
#        ./build.sh --accept   writes the new sum instead of checking it
set -eu
cd "$(dirname "$0")"
npm ci --no-audit --no-fund --ignore-scripts
./node_modules/.bin/esbuild entry.js --bundle --minify --format=iife --target=es2017 \
    --legal-comments=none --charset=ascii --outfile=echarts.min.js
cp node_modules/echarts/LICENSE LICENSE
cp node_modules/echarts/NOTICE NOTICE
if [ "${1:-}" = --accept ]; then
    sha256sum echarts.min.js >SHA256SUMS
else
    sha256sum -c SHA256SUMS
fi
rm -rf node_modules
