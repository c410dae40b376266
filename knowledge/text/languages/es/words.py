"""Spanish."""

import re

from knowledge.text.languages.dialogue_words import DialogueWords

SPANISH = DialogueWords(
    letters=re.compile("[a-z]"),
    months=(
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre|setiembre", "octubre",
        "noviembre", "diciembre",
    ),
    seasons=("invierno", "primavera", "verano|estio", "otono"),
    units=("dias?", "semanas?|fin(?:es)? de semana", "mes(?:es)?", "anos?"),
    counts=(
        "un|uno|una", "dos|un par de", "tres|unos pocos|unas pocas", "cuatro", "cinco", "seis", "siete", "ocho", "nueve",
        "diez",
    ),
    early="principios?|comienzos?|inicios?|primer(?:os?|as?)?",
    middle="mediados?|mitad",
    late="finales|fines|final|ultim(?:os?|as?)",
    ago="hace {count} {unit}",
    last="(?:(?:el|la|los|las) {unit} pasad(?:os?|as?)|(?:el|la|los|las) (?:pasad(?:os?|as?)|ultim(?:os?|as?)) {unit})",
    this="est(?:e|a|os|as) {unit}",
    nearby=(("anteayer|antes de ayer", -2), ("ayer|anoche", -1), ("hoy|esta (?:manana|tarde|noche)", 0)),
    asks_when=(
        r"cuando|hace cuanto|desde cuando|hasta cuando|cuanto tiempo|a que hora|(?:en|de) que (?:ano|mes|dia|fecha|semana)|"
        r"que (?:dia|fecha|ano|mes|semana)|cuant(?:os|as) (?:dias|semanas|meses|anos|horas|minutos)"
    ),
    temporal=(  # without mayo: its stem is the English may
        "ayer anteayer anoche hoy semana semanas dias meses ano anos lunes martes miercoles jueves viernes sabado domingo "
        "enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre invierno primavera verano "
        "otono noche tarde madrugada mediodia medianoche hora horas minuto minutos pronto recientemente ultimamente antes "
        "despues pasado pasada proximo proxima cumpleanos navidad aniversario"
    ),
    first_person="yo|mi|mis|mio|mia|mios|mias|conmigo|nosotros|nosotras|nuestr[oa]s?",
    second_person="tu|tus|tuyo|tuya|ti|contigo|usted|ustedes|vos|vosotros|vosotras|vuestr[oa]s?",
    month_needs_context=frozenset({"abril", "mayo", "julio", "agosto"}),
    month_prepositions="de|del|en|desde|hasta|para|antes|despues|durante|este|pasado|proximo|principios|mediados|finales",
    of_month="de|del mes de",
    of_year="del?(?: ano)?",
    before="antes del?",
)  # fmt: skip
