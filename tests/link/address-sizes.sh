# SPDX-License-Identifier: Apache-2.0
# status: 1
printf '.version 8.0\n.target sm_80\n.address_size 64\n' > a.ptx
printf '.version 2.2\n.target sm_20\n' > b.ptx
$weft dump --ptx a.ptx b.ptx
