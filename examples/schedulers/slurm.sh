#!/bin/bash
# A campaign as a Slurm array: one shard for each task.
#   sbatch slurm.sh mine.yaml
#   castor campaign mine.yaml --merge shards        # when all tasks have ended
# A task that was killed or has failed goes on where it stopped: sbatch --array=7 --export=ALL,SHARDS=40 slurm.sh mine.yaml
#SBATCH --job-name=campaign
#SBATCH --array=1-40
#SBATCH --cpus-per-task=8
#SBATCH --output=campaign-%a.log
set -eu
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
exec castor campaign "$1" --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}" --out "shards/$SLURM_ARRAY_TASK_ID"
