import { type Clause, hasPlaceholder, hasQuotation, type InstructionText } from './clauses.ts';
import { numbersOf } from './figures.ts';
import { folded, wordsIn } from './words.ts';

/**
 * Where the text to type comes from. `stated`: the instruction contains it. `left open`: the model writes it, as for
 * "write a thank-you note". `unclear`: for example in an unknown language. `not asked for`: no clause enters text.
 */
export type TextSource = 'stated' | 'left open' | 'unclear' | 'not asked for';

/** If clauses differ, `left open` wins, then `stated`, then `unclear`. */
export function textSourceOf(instruction: InstructionText, fieldName: string): TextSource {
  const sources = instruction.clauses('sentence').map((clause) => sourceInClause(clause, fieldName));
  for (const source of ['left open', 'stated', 'unclear'] as const) if (sources.includes(source)) return source;
  return sources.length > 0 ? 'not asked for' : 'unclear';
}

/** True if an instruction starts with a search verb. */
export function asksToSeek(instruction: InstructionText): boolean {
  const [first] = instruction.clauses('sentence');
  return first !== undefined && SEEKS.test(first.text);
}

/** True for a number that the model must count or calculate, as for "set the volume to the maximum". */
export function leavesNumberOpen(text: string, instruction: string): boolean {
  return numbersOf(text).length > 0 && OPEN_NUMBER.test(folded(instruction));
}

const OPEN_NUMBER =
  /\b(?:half|halfway|middle|max(?:imum)?|min(?:imum)?|full|lowest|highest|all the way|(?:in|de)crease[sd]?|raise|lower|reduce|up|down|double|triple|one more|one less|more|less|higher|another|sum|product|difference|average|total|result|count|how many|hal(?:b|fte)|mitte|maximal|minimal|hoher|niedriger|erhohe|verringere|verdopple|moitie|augmente|diminue|double|mitad|maximo|minimo|aumenta|reduce)\b|最大|最小|半分|增加|减少|一半/;

/** Words that ask to transform quoted text. */
const TRANSFORMS =
  /\b(?:translat\w*|summari[sz]\w*|rephrase\w*|reword\w*|paraphrase\w*|shorten\w*|correct\w*|backwards?|revers\w*|about|regarding|in (?:english|german|french|spanish|italian|dutch|russian|japanese|chinese|polish|portuguese)|ubersetz\w*|auf (?:deutsch|englisch)|ubers|tradui\w*|en (?:anglais|francais|allemand)|traduc\w*|en (?:ingles|espanol))\b|翻訳|翻译|英語で/;

/** Verbs that let the model write text. */
const COMPOSES =
  /^(?:reply|respond|answer|tell(?! me\b)|ask(?! me\b)|apologi[sz]e|congratulate|greet|thank|wish|comment|complain|suggest|recommend|inform|notify|warn|message|e-?mail(?!:)|introduce|translate|rephrase|draft|compose|invent|make up|come up with|generate|say|(?:post|leave|report|send)(?= (?:an?|that|some|your|my|him|her|them)\b)|send \w+ an?|solve|calculate|compute|convert|antworte|bedanke|frage?|sage?|teile|ubersetze|gratuliere|grusse|verfasse|reponds|repondez|demande[rz]?|dis|remercie|traduis|redige|responde|pregunta|di|agradece|traduce|redacta|rispondi|chiedi|ringrazia|traduci)\b/;

/** Verbs that enter text. */
const ENTERS =
  /^(?:type(?: in)?|key in|input|enter|write|fill(?: in| out| up)?|put in|complete(?=.*\b(?:forms?|fields?|profile|details|registration)\b)|provide|trage?|gib|tippe?|schreibe?|fulle?|ecris|ecrivez|saisis(?:sez)?|tape[rz]?|entrez?|remplis(?:sez)?|escribe|introduce|ingresa|teclea|rellena|completa|scrivi|inserisci|digita|compila|введите|напишите|заполните)\b\s*/u;

/** Verbs that assign a value, which follows a word such as "to". */
const SETS =
  /^(?:set|change|update|edit|rename|name|call|put|make|use|add|insert|pick|choose|select|adjust|turn|move|drag|slide|increase|decrease|raise|lower|reduce|double|give|create|replace|order|book|rate|setze?|stelle?|wahle?|andere?|nenne?|lege?|mets|mettez|regle|choisis(?:sez)?|change|pon|elige|cambia|selecciona|imposta|scegli)\b\s*/;
const VALUE_AFTER =
  /\b(?:to|as|with|by|called|named|titled|for|auf|als|mit|durch|namens|a|par|avec|comme|con|como|su|come)\s+|[=:]\s*/;

/** Verbs that search. */
const SEEKS =
  /^(?:search|find|look|query|filter|google|suche?|finde?|cherche[rz]?|recherche[rz]?|trouve[rz]?|busca|encuentra|cerca|trova|найди(?:те)?|ищи(?:те)?)\b/u;

/** Verbs that need no text. */
const TEXTLESS =
  /^(?:log|login|sign in|log me|open|go|close|cancel|delete|remove|click|tap|press|hit|push|scroll|hover|check|uncheck|tick|untick|drag|upload|attach|expand|collapse|show|hide|buy|pay|download|start|stop|submit|save|confirm|continue|next|back|view|visit|navigate|dismiss|enable|disable|toggle|reset|clear|empty|erase|play|pause|refresh|reload|print|read|what|which|who|when|where|why|how|is|are|does|did|wait|focus|offne|schließe|klicke?|logge?|melde|kaufe?|ouvre[rz]?|ferme[rz]?|clique[rz]?|connecte|abre|cierra|pulsa|inicia|apri|chiudi|clicca|нажмите|откройте)\b/u;

/** Beginnings of objects that do not state the text: "a name", "your e-mail", "something". */
const UNSTATED =
  /^(?:an?|any|some|the|your|my|his|her|their|our|its|this|that|these|those|something|anything|whatever|all|every|each|it|them|in|into|to|out|ein(?:e|en|em|er)?|der|die|das|den|dem|irgend\w*|etwas|mein\w*|dein\w*|alle|un|une|le|la|les|des|du|quelque|mon|ma|ton|ta|una|el|los|las|algo|mi|tu|il|lo|gli|qualcosa)\b/;

/** Words for text that the user leaves open. */
const OPEN_WORDS =
  /\b(?:random|dummy|fake|sample|test|made[- ]up|plausible|realistic|suitable|appropriate|fitting|valid|invalid|wrong|strong|of your choice|whatever|something|anything|example|placeholder|lorem ipsum|data|values?|details|text|characters?|letters?|words?|sentences?|paragraphs?|poem|note|message|comment|review|apology|greeting|emoji|smiley|plausiblen?|zufallig\w*|beliebig\w*|beispiel\w*|\w*daten|etwas|donnees|aleatoire\w*|exemple|quelconque|datos|aleatori\w*|ejemplo|cualquier|dati|esempio)\b|ダミー|データ|適当|もっともらしい|テスト|何か|测试|数据|随便|随机/;

/** Objects that the model has to work out: "the sum of 3 and 4", "the initials of", "that I will be late". */
const WORKED_OUT =
  /\b(?!(?:first|second|third|\w+th|\d+\w*)\s)[a-z]{3,}\s+of\s|\b(?:sum|result|total|average|equation|initials|numeral|plus|minus|times|that|saying|asking|telling|about|explaining|whether|why|dass|uber|warum|que|pourquoi|sobre|de que)\b/;

function sourceInClause({ sealed, text }: Clause, fieldName: string): TextSource {
  if (ENTERS.test(text)) return sourceOfObject(afterVerb(sealed, ENTERS), fieldName);
  if (COMPOSES.test(text)) return statesByQuote(sealed) ? 'stated' : 'left open';
  if (SETS.test(text)) return sourceOfValue(afterVerb(sealed, SETS), fieldName);
  if (SEEKS.test(text)) return statesByQuote(sealed) ? 'stated' : OPEN_WORDS.test(text) ? 'left open' : 'unclear';
  if (TEXTLESS.test(text) || isPressing(text)) return 'not asked for';
  if (statesByQuote(sealed)) return 'stated';
  return OPEN_WORDS.test(text) ? 'left open' : 'unclear';
}

/** True if a Japanese or Chinese clause asks for a click. */
function isPressing(text: string): boolean {
  return /クリック|タップ|押|点击|單擊|单击/.test(text) && !/入力|書|填|输入|検索|搜索/.test(text);
}

function afterVerb(sealed: string, verb: RegExp): string {
  // `folded` changes the length of only a few characters.
  const length = verb.exec(folded(sealed))?.[0].length ?? 0;
  return sealed.normalize('NFC').slice(length);
}

/**
 * The object is "the form with test data" in "fill in the form with test data", and "Ada into the name field" in "type
 * Ada into the name field".
 */
function sourceOfObject(object: string, fieldName: string): TextSource {
  if (statesByQuote(object)) return 'stated';
  if (hasQuotation(object) || isOpen(object)) return 'left open';
  const [, given] = /\b(?:with|mit|avec|con)\s+(.+)$/i.exec(object) ?? [];
  if (given !== undefined) return sourceOfWords(given, fieldName);
  return sourceOfWords(object.replace(PLACE, ''), fieldName);
}

/** Phrases for the field that receives the text: "into the name field". */
const PLACE =
  /\s+(?:into|in|as|to|at|on|under|for|ins?|als|dans|comme|en|como|nel(?:la)?|в|во)\s+(?:the|an?|every|any|all|das|die|den|dem|der|feld|le|la|les|el|поле|[\p{L}-]+\s+(?:field|box|input)).*$/iu;

function sourceOfValue(rest: string, fieldName: string): TextSource {
  if (statesByQuote(rest)) return 'stated';
  const value = rest.split(VALUE_AFTER).at(-1) ?? '';
  if (value !== '' && value !== rest) {
    // In "replace blue by red in the letter", "in the letter" is the location, and no text is left open.
    const given = value.replace(PLACE, '');
    return isOpen(given) ? 'left open' : sourceOfWords(given, fieldName);
  }
  if (isOpen(rest)) return 'left open';
  return TEXT_KIND.test(rest) ? 'left open' : 'unclear';
}

/** Kinds of text that the instruction leaves open: "pick a user name". */
const TEXT_KIND =
  /\b(?:an?|any|some|your)\s+(?:[a-z]+\s+)?(?:name|user ?name|nick ?name|password|title|subject|label|description|e-?mail|address|phone|number|date|time|colou?r|tag|text|code|caption|bio)\b/i;

function isOpen(words: string): boolean {
  const text = folded(words);
  return OPEN_WORDS.test(text) || WORKED_OUT.test(text);
}

/** "your name" leaves the text open. In "the name Ada", the last word states it. */
function sourceOfWords(written: string, fieldName: string): TextSource {
  const own = new Set(wordsIn(fieldName));
  const words = written
    .split(/\s+/)
    .filter((word) => word !== '' && !wordsIn(word).every((part) => own.has(part) || FIELD.has(part)));
  if (words.length === 0) return 'left open';
  const start = folded(written.trim());
  if (!UNSTATED.test(start)) return 'stated';
  const literal = NOUNS_ARE_LARGE.test(start) ? /\d|@/ : /\d|@|^\p{Lu}/u;
  return words.slice(1).some((word) => literal.test(word)) ? 'stated' : 'left open';
}

/** German articles and pronouns. A capital letter after these does not indicate a name, because all nouns have one. */
const NOUNS_ARE_LARGE = /^(?:ein(?:e|en|em|er)?|der|die|das|den|dem|irgend\w*|etwas|mein\w*|dein\w*|alle)\b/;

/** Words for the field itself, which state no text. */
const FIELD: ReadonlySet<string> = new Set(
  'field fields box form input area column cell required missing empty remaining feld felder formular champ champs formulaire campo campos formulario modulo'.split(
    ' ',
  ),
);

/** True if a quotation or placeholder states the text. Quoted text that must be transformed does not. */
function statesByQuote(words: string): boolean {
  return hasPlaceholder(words) || (hasQuotation(words) && !TRANSFORMS.test(folded(words)));
}
