/**
 * Rules for the plurals of kinds. CRD names depend on them, so they match those of the inflection library in controller-gen
 * (flect 1.0.3), including its irregular results: `octopus` becomes `octupuses`.
 */

/** Irregular words: singular → plural. They apply to whole words and, except for those below, to the end of compounds. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `aircraft=aircraft beef=beef bison=bison blues=blues chassis=chassis deer=deer fish=fish moose=moose police=police
  salmon=salmon series=series sheep=sheep shrimp=shrimp species=species swine=swine trout=trout tuna=tuna you=you
  child=children ox=oxen foot=feet goose=geese man=men human=humans louse=lice mouse=mice tooth=teeth woman=women
  die=dice person=people adieu=adieux fabliau=fabliaux bureau=bureaus criterion=criteria ganglion=ganglia
  lexicon=lexica mitochondrion=mitochondria noumenon=noumena phenomenon=phenomena taxon=taxa media=media medium=media
  stadium=stadiums aquarium=aquaria auditorium=auditoria symposium=symposia curriculum=curriculums quota=quotas
  alumnus=alumni bacillus=bacilli cactus=cacti coccus=cocci focus=foci locus=loci nucleus=nuclei octopus=octupuses
  radius=radii syllabus=syllabi corpus=corpora genus=genera alumna=alumnae vertebra=vertebrae differentia=differentiae
  minutia=minutiae vita=vitae larva=larvae postcava=postcavae praecava=praecavae uva=uvae apex=apices codex=codices
  index=indices latex=latices vertex=vertices vortex=vortices appendix=appendices radix=radices helix=helices axis=axes
  crisis=crises ellipsis=ellipses genesis=geneses oasis=oases thesis=theses testis=testes base=bases basis=bases
  alias=aliases vedalia=vedalias use=uses abuse=abuses cause=causes clause=clauses cruse=cruses excuse=excuses fuse=fuses
  house=houses misuse=misuses muse=muses pause=pauses ache=aches topaz=topazes buffalo=buffaloes potato=potatoes
  tomato=tomatoes equipment=equipment information=information jeans=jeans money=money news=news rice=rice dwarf=dwarfs
  hoof=hoofs thief=thieves chive=chives hive=hives move=moves movie=movies cookie=cookies pretorium=pretoriums
  agenda=agendas formula=formulas shoe=shoes toe=toes graffiti=graffiti ID=IDs`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** Irregular words that don't apply to compounds: `ox`, but not `box`. */
export const ALONE_ONLY: ReadonlySet<string> = new Set("ox louse die axis alias use toe ID".split(" "));

/** Words whose plurals aren't recognized as plurals, because other words share them. */
export const NOT_REVERSIBLE: ReadonlySet<string> = new Set("blues medium ellipsis basis".split(" "));

/** Other words that are recognized as plurals. */
export const OTHER_PLURALS: readonly string[] =
  `beefs fishes salmons shrimps swines trouts tunas adieus bureaux ganglions
  lexicons mitochondrions stadia aquariums auditoriums symposiums curricula alumnuses cactuses focuses locuses
  nucleuses octopi radiuses corpuses apexes codexes indexes latexes vertexes vortexes appendixes radixes helixes buffalos
  dwarves hooves formulae`.split(/\s+/);

/** Endings as `ending=replacement`; the first match is used. Case-sensitive. */
export const ENDINGS: readonly (readonly [ending: string, replacement: string])[] =
  `tive=tives eaf=eaves oaf=oaves afe=aves arf=arves rfe=rves rf=rves lf=lves fe=ves ay=ays ey=eys oy=oys quy=quies uy=uys
  y=ies eau=eaux bula=bulae dula=bulae lula=bulae nula=bulae vula=bulae hedron=hedra ium=ia seum=seums eum=ea oum=oa
  stracum=straca dum=da elum=ela ilum=ila olum=ola ulum=ula llum=lla ylum=yla imum=ima ernum=erna gnum=gna brum=bra
  crum=cra terum=tera serum=sera trum=tra antum=anta atum=ata entum=enta etum=eta itum=ita otum=ota utum=uta ctum=cta
  ovum=ova trix=trices iasis=iases mesis=meses kinesis=kineses resis=reses gnosis=gnoses opsis=opses ysis=yses ouse=ouses
  lause=lauses us=uses ch=ches io=ios sh=shes ss=sses ez=ezzes iz=izzes tz=tzes zz=zzes ano=anos lo=los to=tos oo=oos
  o=oes x=xes S=Ses`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]);

/** Abbreviations that are recognized as words inside a name, in any case. */
export const ACRONYMS: ReadonlySet<string> = new Set(
  `OK UTF8 HTML JSON JWT ID UUID SQL ACK ACL ADSL AES ANSI API ARP ATM BGP BSS CCITT CHAP CIDR CIR CLI CPE CPU
  CRC CRT CSMA CMOS DCE DEC DES DHCP DNS DRAM DSL DSLAM DTE DMI EHA EIA EIGRP EOF ESS FCC FCS FDDI FTP GBIC
  GEPOF HDLC HTTP HTTPS IANA ICMP IDF IDS IEEE IETF IMAP IP IPS ISDN ISP LACP LAN LAPB LAPF LLC MAC MC MDF MIB
  MPLS MTU NAC NAT NBMA NIC NRZ NRZI NVRAM OSI OSPF OUI PAP PAT PC PIM PCM PDU POP3 POTS PPP PPTP PTT PVST RAM
  RARP RFC RIP RLL ROM RSTP RTP RCP SDLC SFD SFP SLARP SLIP SMTP SNA SNAP SNMP SOF SRAM SSH SSID STP SYN TDM
  TFTP TIA TOFU UDP URL URI USB UTP VC VLAN VLSM VPN W3C WAN WEP WPA WWW`.split(/\s+/),
);
