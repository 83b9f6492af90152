# The settings of a site without root. Every terminal that starts or backs up that site reads them first:
#   source ~/site/site.sh

# What people type into their browsers. For friends on your network it is your machine's address: https://192.168.1.20:8443
export SITE=https://localhost:8443
# Where Caddy redirects from: without root it may not have port 80.
export HTTP_PORT=8080

export PATH=~/site/env/bin:$PATH
export LUDEX_PORT=8000 LUDEX_ORIGINS=$SITE LUDEX_PROXIES=127.0.0.1
export LUDEX_DATA=~/site/data LUDEX_CACHE=~/site/cache
export LUDEX_RUNS=~/site/runs LUDEX_TOURNAMENTS=~/site/tournaments LUDEX_JOBS=~/site/jobs
