"""Words that tell the language of a message too short for statistics: greetings, answers, chat abbreviations.

A word that several languages share tells for each of them; one that all share (`ok`, `no`, `super`) is in no list.
"""


def _read_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KNOWN_WORDS: dict[str, frozenset[str]] = {
    "de": _read_words(
        """
        aber auch auf bin bist bitte danke das dem den der dich die dir doch du ein eine einen für genau gestern
        gut hab habe hallo heute ich ihr ist ja jetzt kann kein keine lass mal mein meine mich mir mit moin
        morgen muss naja nein nicht noch servus sie sind tschüss und von wann warum wer wie will wir wo zu
        """
    ),
    "fr": _read_words(
        """
        ai aussi avec bah bonjour bonsoir c'est ca ce cette comment coucou d'accord dans de des du elle encore
        est frero il je le les mais mdr merci moi nous on ouais oui où pas pour pourquoi quand que qui quoi
        salut slt suis sur tkt toi très tu un une va voilà vous ça
        """
    ),
    "it": _read_words(
        """
        anche buonasera buongiorno che ciao della grazie io niente non perché prego sono sì vorrei
        """
    ),
    "pt": _read_words(
        """
        boa bom eu meu minha muito não obrigada obrigado oi olá sim são também tchau você
        """
    ),
    "nl": _read_words(
        """
        alsjeblieft bedankt dank een goedemorgen het hoi ik jij maar niet waar wat
        """
    ),
    "pl": _read_words(
        """
        cześć dobry dzień dzięki dziękuję gdzie jest nie proszę tak
        """
    ),
    "tr": _read_words(
        """
        ben bir evet hayır lütfen merhaba nasıl nerede selam teşekkürler var yok
        """
    ),
    "sv": _read_words(
        """
        hej inte jag och snälla tack
        """
    ),
    "cs": _read_words(
        """
        ahoj ano díky děkuju jsem prosím
        """
    ),
    "ro": _read_words(
        """
        bună mulțumesc salutare sunt și
        """
    ),
    "fi": _read_words(
        """
        hei kiitos minä moi olen
        """
    ),
    "id": _read_words(
        """
        apa halo kasih saya terima tidak
        """
    ),
    "bg": _read_words(
        """
        аз благодаря да добре е здравей здравейте как къде много моля не си съм
        """
    ),
    "sr": _read_words(
        """
        где здраво како ко молим није хвала
        """
    ),
    "be": _read_words(
        """
        дзякуй калі ласка прывітанне
        """
    ),
}

ARABIZI_WORDS = _read_words(
    """
    2olli 3adi 3ala 3an 3andi 3arfa 3arif 3ashan 3awez 3ayez 3ayza 3endi 3indi 3lach 3lash 3ndi 3refet 3reft
    3shan 5alas 7abibi 7aga 7aja 7aliyan 7asasiya 7elw 7ilu a3raf abadan abgha abi abl abouy abuy addeh adesh
    afham aftah ahlan ahleen aish aiwa akeed akher akhi akhoy akid aku alyom ameen andi areed areeed awal ayez
    aywa aywah ba3d ba3dein ba3raf baadein bab baddak baddi badein badi bahi bait barcha barda bardo bas bass
    bayt beddi behi beit bezzaf bghina bghit biddak biddi bidi bint bkra bokra bukra bukrah bzaf chisma chithi
    chlonak chno chnou chwia chwiya daba daiman dayman delwa2ti dilwa2ti dyal dyalek dyali e7ki efta7 eish
    elkhair elkheir elyom embare7 emta enaharda esmak esmi esmik estanna eysh ezay ezayak ezayek ezzay fahim
    feen fein fhemt fine7 fustan gabl gadesh ghadda ghadwa gild gool goolli habibi habibti hadha hadi haga hai
    haida haide haja hajem hajim harb hasasiya hasasiyya hatha hayda hayde heik hek helw helwa hna hnaya ifta7
    ihki imta indi inhardah inshalla inshallah ismak ismi istanna izayak izzayak jamil jamila jazma jdeed jeld
    jild jithi kam kaman kayen kayn kayna kda keda keefak kefak keifak khair khalas kheir kida kifach kifak
    kifash kifech kifik kilshi kol kolshi kteer kteir ktir kulshi kwayes kwayyes la2 laa labas labes leesh leh
    leish lesh lessa lissa lyoum lyouma ma2asi ma3i ma3lesh maalesh maba8a mabgha mabi mabrook mabrouk mafeesh
    mafhoum mafi mafish makanch makayn maku malek malesh malik malika maqasi mar7aba marhaba masa mashallah mata
    meen mesh mezyan mish mishkila mizaniti mizaniyti mnee7 mni7 mni7a mnin momken moshkela msh mub mumkin mush
    mushkila mzyan na3am naam nafsi nchalah nchallah nchri nshallah nta ntina ntouma o5ti okhti olli omi ommi
    ossa qissa quwayis rajol rooh rou7 ruh sa7bi sabah sadi2i sadiqi safi sahbi salam salamat sawi sawwi sayf
    seif shanta shee shi shino shinu shisma shlon shlonak shlonek shlonik shno shnou sho shokran shoo shou shu
    shukran smitek smiti t3al ta3al ta3ala tab tab3an taib tamam tanneen tayeb tayyeb tesba7 ukhti wa2ef wa7ed
    waajid wach wahad wahid wain wakha wala walad walla wallah wallahi walou waqif wayed ween wein wesh ya3ni
    yaani yalla yallah yani yemken yimkin zain zeen zein zwin zwina
    """
)
"""Arabic in Latin letters, hardly met in other languages."""

ARABIZI_SHARED_WORDS = _read_words(
    """
    ah al ana basha bel bil bs da di e7na eh ehna el elli enno enta enti fe fen fi hada hadi hal han heya hiya
    hon hona howa huwa il ila ili illi inno inta inti kan kanat kbeer la law lel lil lw ma ma3 maa marra mat men
    men3 min mn mo mu nas ra7 rah ras rayi7 san sana shwai shway shwaya sina tani tany tayib ustaz w wa ya
    zgheer
    """
)
"""Arabic in Latin letters, met in other languages too: two of them tell."""
