import { Html } from './html.ts';

const SHADOW = '<ellipse cx="100" cy="146" rx="62" ry="7" fill="#000" opacity=".12"/>';

/** Drawings with `currentColor` as the main colour; `ink` is a darker line, `shine` a lighter patch. */
const DRAWINGS = {
  mug: `<path d="M132 70h14a18 18 0 0 1 0 46h-16" class="ring"/><path d="M60 50h74v70a22 22 0 0 1-22 22H82a22 22 0 0 1-22-22z"/>
    <path d="M60 50h74v14H60z" class="shine"/><path d="M70 76v42" class="glint"/>`,
  cup: `<path d="M128 84h10a14 14 0 0 1 0 34h-12" class="ring"/><path d="M66 74h64v32a28 28 0 0 1-28 28h-8a28 28 0 0 1-28-28z"/>
    <path d="M66 74h64v9H66z" class="shine"/><rect x="44" y="134" width="108" height="9" rx="4.5" class="ink"/>`,
  bowl: `<path d="M40 76h120a60 62 0 0 1-40 62v5H80v-5a60 62 0 0 1-40-62z"/><path d="M40 76h120l-2 13H42z" class="shine"/>`,
  plate: `<circle cx="100" cy="90" r="56"/><circle cx="100" cy="90" r="38" class="ring thin"/><circle cx="84" cy="74" r="3" class="ink"/>
    <circle cx="120" cy="104" r="2.5" class="ink"/><circle cx="110" cy="70" r="2" class="ink"/>`,
  kettle: `<path d="M66 62c20-30 56-30 72 0" class="ring"/><path d="M60 78h84l8 64H52z"/><path d="M58 96c-18 0-16-30-34-34" class="ring"/>
    <rect x="90" y="64" width="24" height="14" rx="6" class="ink"/><path d="M70 90l-6 44" class="glint"/>`,
  teapot: `<path d="M140 84c30-8 30 40-2 36" class="ring"/><path d="M58 108c-16-4-14-24-30-26" class="ring"/><ellipse cx="100" cy="108" rx="48" ry="36"/>
    <rect x="78" y="66" width="44" height="12" rx="6" class="ink"/><circle cx="100" cy="60" r="7" class="ink"/><path d="M72 92c-6 10-6 22 0 30" class="glint"/>`,
  board: `<rect x="48" y="42" width="84" height="102" rx="14"/><rect x="78" y="22" width="24" height="30" rx="12"/><circle cx="90" cy="34" r="5" class="hole"/>
    <path d="M64 62c10 20-6 40 4 66M88 60c8 26-6 44 2 70M112 62c6 20-4 46 2 66" class="ring thin"/>`,
  tray: `<rect x="30" y="82" width="140" height="46" rx="12"/><rect x="42" y="92" width="116" height="26" rx="7" class="shine"/>
    <path d="M30 96c-12 0-12 18 0 18M170 96c12 0 12 18 0 18" class="ring"/>`,
  jar: `<rect x="62" y="66" width="76" height="76" rx="14"/><rect x="68" y="48" width="64" height="20" rx="8" class="ink"/><path d="M76 84v40" class="glint"/>`,
  bottle: `<path d="M84 50h32c2 16 16 20 16 40v42a12 12 0 0 1-12 12H80a12 12 0 0 1-12-12V90c0-20 14-24 16-40z"/>
    <rect x="82" y="26" width="36" height="22" rx="7" class="ink"/><path d="M80 92v38" class="glint"/>`,
  cloth: `<path d="M46 60l74-22 34 14-74 24z" class="shine"/><path d="M46 60l34 16v64l-34-16z" class="ink"/><path d="M80 76l74-24v64l-74 24z"/>
    <path d="M82 91l70-23M82 107l70-23M82 123l70-23" class="ring thin"/>`,
  lamp: `<path d="M88 136V92c0-26 34-22 40-40" class="ring"/><path d="M112 22h44l14 34H98z"/><rect x="66" y="134" width="68" height="10" rx="5" class="ink"/>
    <path d="M106 58h56l16 34H90z" class="glow"/>`,
  vase: `<path d="M92 64V14M108 64c0-22 10-26 16-36" class="ring thin"/><circle cx="92" cy="16" r="8" class="shine"/><circle cx="126" cy="28" r="7" class="shine"/>
    <path d="M84 60h32c0 18 26 30 26 54 0 20-16 30-26 30H84c-10 0-26-10-26-30 0-24 26-36 26-54z"/>`,
  candle: `<path d="M76 144l6-92h10l6 92zM106 144l4-78h10l6 78z"/><path d="M87 24c10 12 7 22 0 24-7-2-10-12 0-24zM115 40c9 11 6 20 0 22-6-2-9-11 0-22z" class="glow strong"/>`,
  planter: `<path d="M100 70c-30-8-36-28-32-46 22 4 34 20 32 46zM102 70c0-26 12-44 36-46 2 26-10 42-36 46zM100 72c-4-20 0-40 4-54" class="leaf"/>
    <path d="M58 72h84l-12 60H70z"/><path d="M54 66h92v16H54z" class="shine"/><rect x="58" y="132" width="84" height="11" rx="5" class="ink"/>`,
  notebook: `<rect x="56" y="30" width="90" height="112" rx="8"/><rect x="56" y="30" width="16" height="112" rx="6" class="ink"/>
    <path d="M128 30v112" class="ring thin"/><rect x="86" y="52" width="30" height="16" rx="3" class="shine"/>`,
  bag: `<path d="M74 64V46a26 26 0 0 1 52 0v18" class="ring"/><rect x="52" y="58" width="96" height="86" rx="18"/><path d="M52 82h96v16H52z" class="shine"/>
    <rect x="70" y="104" width="60" height="28" rx="8" class="ink"/>`,
  clock: `<circle cx="100" cy="86" r="58"/><circle cx="100" cy="86" r="46" class="face"/><path d="M100 86V54M100 86l22 14" class="ring"/><circle cx="100" cy="86" r="5" class="ink"/>`,
} as const;

/** What a product looks like. */
export type PictureKind = keyof typeof DRAWINGS;

/** An inline drawing of a product. */
export function picture(kind: PictureKind, color: string, label: string): Html {
  const name = label === '' ? 'aria-hidden="true"' : `role="img" aria-label="${label}"`;
  return new Html(
    `<svg class="picture" viewBox="0 0 200 160" style="color:${color}" ${name}>${SHADOW}${DRAWINGS[kind]}</svg>`,
  );
}
