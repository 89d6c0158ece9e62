#!/bin/bash
# A campaign with GNU parallel: four shards on this machine, or on others with --sshlogin and a shared folder.
#   bash parallel.sh mine.yaml
set -eu
parallel --halt soon,fail=1 castor campaign "$1" --shard {}/4 --threads 1 --out shards/{} ::: 1 2 3 4
