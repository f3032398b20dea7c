/** A private identifier or phrase, and the term of the field that replaces it. */
export interface PrivateWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Text that uses a private word. */
export interface PrivateWordUse {
  readonly path: string;
  /** Undefined if the file name contains the word. */
  readonly line: number | undefined;
  readonly found: string;
  readonly instead: string;
}

/**
 * Identifiers and phrases that nobody outside this repository would understand. Ordinary English words with a private
 * meaning are left to reviews, because a search cannot recognize them.
 */
const PRIVATE_WORDS: readonly PrivateWord[] = [
  { pattern: /\bSession-?Desk\b/i, instead: 'SessionManager' },
  { pattern: /\bModel-?Desk\b/i, instead: 'ModelService' },
  { pattern: /\bcountersigns?\b/i, instead: 'nonce' },
  { pattern: /\bhandledElsewhere\b/, instead: 'ignoreRejection' },
  { pattern: /\blimitOfPart\b/, instead: 'childTimeout' },
  { pattern: /\bwhenTimeIsUp\b|\btime-up\b/, instead: 'startTimer' },
  { pattern: /\bonAbortOfLasting\b|\blastingSignals\b/, instead: 'onSharedAbort, sharedSignals' },
  { pattern: /\bhandedBack\b/, instead: 'takeoverEnded' },
  { pattern: /\bhand-?over-?notes\b/i, instead: 'HandoverState' },
  { pattern: /\broom-?finder\b/i, instead: 'CapacityLookup' },
  { pattern: /\bgone-?signal\b/i, instead: 'disconnectSignal' },
  { pattern: /\bquestion-?board\b/i, instead: 'QuestionStore' },
  { pattern: /\bperson-?questions\b/i, instead: 'OperatorQuestions' },
  { pattern: /\bpage-?wish(?:es)?\b|\bwish-?panel\b/i, instead: 'PageRequest, RequestPanel' },
  { pattern: /\bonlookers?\b/i, instead: 'viewer' },
  { pattern: /\bworld-?keeper\b/i, instead: 'WorldOwner' },
  { pattern: /\bleaving-?guard\b/i, instead: 'PageHideGuard' },
  { pattern: /\bname-?judge\b/i, instead: 'NameCheck' },
  { pattern: /\bisForsaken\b/, instead: 'isInputLost' },
  { pattern: /\boutruns\b/, instead: 'settledBeforeInput' },
  { pattern: /\blookAround\b/, instead: 'collectEffects' },
  { pattern: /\bplay(?:InPlace|Elsewhere|Found)\b/, instead: 'replayAtPath, replayByFingerprint, replayOn' },
  { pattern: /\basAsked\b/, instead: 'withRequestedMethod' },
  { pattern: /\bentry-?fate(?:Of)?\b/i, instead: 'inputResult' },
  { pattern: /\bKeyWay\b/, instead: 'KeySequence' },
  { pattern: /\bsentUnlessGone\b/, instead: 'ignoreIfNavigated' },
  { pattern: /\bisLedHere\b|\bledBy\b|\bframe-leads\b/, instead: 'verifyFramePath, framePath' },
  {
    pattern: /\bfar-parents\b|\bparent-mail\b|\bthroughOwner\b|\bcarryBeyond\b/,
    instead: 'mapToParent, mapToAncestors',
  },
  { pattern: /\bend-?judge\b|\bjudge-claim\b/i, instead: 'CompletionCheck' },
  { pattern: /\bwhither\b/i, instead: 'destination' },
  { pattern: /\bbearOut\b/, instead: 'isSupportedBy' },
  { pattern: /\barmAround\b/, instead: 'watchParents' },
  { pattern: /\bsaid-(?:numbers|dates|texts)\b/, instead: 'number phrases, date phrases, quoted texts' },
  { pattern: /\bkeepFromPictures\b|\bpicture-?dressing\b/i, instead: 'maskInScreenshots, prepare screenshot' },
  { pattern: /\bdrag-?ground\b/i, instead: 'drop target' },
  { pattern: /\barmed-?action\b/i, instead: 'PendingAction' },
  { pattern: /\bgap-?watch\b/i, instead: 'gap observer' },
  { pattern: /\bentry-?watch\b/i, instead: 'input observer' },
  { pattern: /\blongest-?rise\b/i, instead: 'longest increasing subsequence' },
  { pattern: /\bSoughtElement\b|\bFoundAgain\b/, instead: 'query, match candidates' },
  { pattern: /\bnamesakes?\b/i, instead: 'same-name element' },
  { pattern: /\bgoOnAfter\b|\bcutShort\b/, instead: 'resumeFrom, stopEarly' },
  { pattern: /\bhearNothing\b/, instead: 'handleEmptyAnswer' },
  { pattern: /\bisPatient\b/, instead: 'hasNoTimeout' },
  { pattern: /(?<![a-z])patience\b/i, instead: 'timeout' },
  { pattern: /\bcarryOut\b/, instead: 'run, replay' },
  { pattern: /\btell-?heal\b/i, instead: 'heal' },
  { pattern: /\bsecond look\b|\bsecondLook\b/i, instead: 'second snapshot' },
  { pattern: /\b(?:come|comes|came|coming) to rest\b|\brestedFor\b/i, instead: 'settle, quietDuration' },
  { pattern: /\btask-?past\b/i, instead: 'TaskHistory' },
  { pattern: /\btold-?tools\b/i, instead: 'tool results' },
  { pattern: /\bbystanders?\b/i, instead: 'other-frame effects' },
  { pattern: /\bown-?answer\b/i, instead: 'recorded answer' },
  { pattern: /\bgo(?:ne|es)? on with\b/i, instead: 'resume, continue, adopt' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bis no address\b/i, instead: 'must be a URL' },
  { pattern: /\bis done to\b/i, instead: 'acts on' },
  { pattern: /\bleads nowhere\b/i, instead: 'matches nothing' },
];

/** Returns every use of a private word in a file's name and text. */
export function privateWordUses(path: string, text: string): PrivateWordUse[] {
  const lines = [
    { line: undefined, words: path },
    ...text.split('\n').map((words, index) => ({ line: index + 1, words })),
  ];
  return lines.flatMap(({ line, words }) =>
    PRIVATE_WORDS.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(words)?.[0];
      return found === undefined ? [] : [{ path, line, found, instead }];
    }),
  );
}
