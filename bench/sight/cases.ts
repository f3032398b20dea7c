/** A page with a placeholder for a word. Screenshots decide whether the word is visible. */
export interface VisibilityCase {
  readonly name: string;
  /** HTML of the body. `{word}` is the placeholder. */
  readonly html: string;
}

const frame = (style: string): string =>
  `<iframe style="width:200px;height:60px;border:0;${style}" srcdoc="<p>{word}</p>"></iframe>`;
const box = (style: string, inner = '{word}'): string => `<div style="${style}">${inner}</div>`;
const covered = (cover: string): string =>
  `<div style="position:relative;width:200px;height:60px">{word}${cover}</div>`;
const cover = (style: string): string => covered(`<div style="position:absolute;inset:0;${style}"></div>`);
const sheet = (rules: string, inner = '<p class="x">{word}</p>'): string => `<style>${rules}</style>${inner}`;
const svg = (inner: string): string => `<svg width="200" height="60">${inner}</svg>`;
const OFF_PAGE = 'position:absolute;left:-9999px';
const IMAGE =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22%3E%3Crect width=%229%22 height=%229%22 fill=%22white%22/%3E%3C/svg%3E';

const PAGES: Readonly<Record<string, string>> = {
  'frame, opacity 0': frame('opacity:0'),
  'frame, parent of opacity 0': box('opacity:0', frame('')),
  'frame, 1 px': frame('width:1px;height:1px'),
  'frame, off-page': frame(OFF_PAGE),
  'frame, clipped by its parent': box('width:0;height:0;overflow:hidden', frame('')),
  'frame, clip-path': frame('clip-path:inset(50%)'),
  'frame, filter opacity(0)': frame('filter:opacity(0)'),
  'frame, scale(0)': frame('transform:scale(0)'),
  'frame, visibility hidden': frame('visibility:hidden'),
  'under a white frame': covered(
    '<iframe style="position:absolute;inset:0;width:100%;height:100%;border:0" srcdoc="<body style=\'background:white\'>"></iframe>',
  ),
  'under a white canvas': covered(
    '<canvas style="position:absolute;inset:0;width:100%;height:100%;background:white"></canvas>',
  ),
  'under a drawn canvas': `${covered('<canvas width="200" height="60" style="position:absolute;inset:0"></canvas>')}<script>{const c=document.querySelector('canvas').getContext('2d');c.fillStyle='white';c.fillRect(0,0,200,60)}</script>`,
  'under a white image': covered(
    `<img alt="" src="${IMAGE}" style="position:absolute;inset:0;width:100%;height:100%">`,
  ),
  'under a white ::after': sheet(
    '.x{position:relative}.x::after{content:"";position:absolute;inset:0;background:white}',
  ),
  'cover by gradient': cover('background:linear-gradient(white,white)'),
  'cover by border': cover('border:30px solid white;box-sizing:border-box'),
  'cover by outline': covered('<div style="position:absolute;left:100px;top:30px;outline:120px solid white"></div>'),
  'cover by inset shadow': cover('box-shadow:inset 0 0 0 100px white'),
  'cover by two half boxes': covered(
    '<div style="position:absolute;left:0;top:0;width:50%;height:100%;background:white"></div><div style="position:absolute;left:50%;top:0;width:50%;height:100%;background:white"></div>',
  ),
  'cover by a half box': covered(
    '<div style="position:absolute;left:0;top:0;width:15px;height:100%;background:white"></div>',
  ),
  'cover by a translucent gradient': cover('background:linear-gradient(#fff8,#fff8)'),
  'svg text in defs': svg('<defs><text y="20">{word}</text></defs>'),
  'svg text in symbol': svg('<symbol><text y="20">{word}</text></symbol>'),
  'svg text in a used symbol': svg('<symbol id="s"><text y="20">{word}</text></symbol><use href="#s"/>'),
  'svg text in a symbol used with opacity 0': svg(
    '<symbol id="s"><text y="20">{word}</text></symbol><use href="#s" opacity="0"/>',
  ),
  'svg text outside the clip-path of its group': svg(
    '<clipPath id="c"><rect x="150" width="9" height="9"/></clipPath><g clip-path="url(#c)"><text y="20">{word}</text></g>',
  ),
  'svg text, fill none': svg('<text y="20" fill="none">{word}</text>'),
  'svg text, fill none with stroke': svg('<text y="20" fill="none" stroke="black">{word}</text>'),
  'svg text, off-canvas': svg('<text x="500" y="20">{word}</text>'),
  'svg text': svg('<text y="20">{word}</text>'),
  'clip-path path()': box("clip-path:path('M0 0')"),
  'clip-path path() around': box("clip-path:path('M0 0H500V99H0Z')"),
  'clip-path url() of nothing': `<svg width="0" height="0"><clipPath id="c"></clipPath></svg>${box('clip-path:url(#c)')}`,
  'clip-path url() of a rectangle': `<svg width="0" height="0"><clipPath id="c"><rect width="500" height="99"/></clipPath></svg>${box('clip-path:url(#c)')}`,
  'clip-path inset() of a moved box': box('translate:10px;clip-path:inset(40px 0 0);width:200px;height:80px'),
  'clip-path inset() of a rotated box': box('rotate:90deg;clip-path:inset(0 50% 0 0);width:90px;height:90px'),
  'mask-size 0': box('mask:linear-gradient(black,black) no-repeat;mask-size:0 0'),
  'mask url() of nothing': box('mask:url(#none)'),
  'font-size-adjust 0': box('font-size-adjust:0'),
  'mask of full size': box('mask:linear-gradient(black,black)'),
  'filter flood': `<svg width="0" height="0"><filter id="f"><feFlood flood-color="white"/></filter></svg>${box('filter:url(#f)')}`,
  'blend mode lighten, black on white': box('mix-blend-mode:lighten;color:#000;background:#fff'),
  'blend mode screen, white on white': box('mix-blend-mode:screen;color:#fff'),
  'blend mode multiply, white on white': box('mix-blend-mode:multiply;color:#fff'),
  backface: box('backface-visibility:hidden;transform:rotateY(180deg)'),
  'backface of the parent': box(
    'transform-style:preserve-3d;transform:rotateY(180deg)',
    box('backface-visibility:hidden'),
  ),
  'rotated back twice': box('backface-visibility:hidden;transform:rotateY(360deg)'),
  'text-indent 9999px': box('text-indent:9999px;overflow:hidden;white-space:nowrap'),
  'text-indent -9999px': box('text-indent:-9999px'),
  'contain paint, height 0': box('contain:paint;height:0'),
  'contain paint': box('contain:paint'),
  '::highlight in white': `<p id="x">{word}</p><style>::highlight(h){color:white}</style><script>{const r=new Range();r.selectNodeContents(document.querySelector('#x'));CSS.highlights.set('h',new Highlight(r))}</script>`,
  '::first-line in white': sheet('.x::first-line{color:white}'),
  '::first-letter in white': sheet('.x::first-letter{color:white}'),
  'transparent textarea': '<textarea style="color:transparent">{word}</textarea>',
  textarea: '<textarea>{word}</textarea>',
  'transparent placeholder': sheet('input::placeholder{color:transparent}', '<input placeholder="{word}">'),
  'placeholder of opacity 0': sheet('input::placeholder{opacity:0}', '<input aria-label="Name" placeholder="{word}">'),
  'value of font size 0': '<input value="{word}" style="font-size:0">',
  'text-indent 9999px from right to left': box('direction:rtl;text-indent:9999px'),
  placeholder: '<input placeholder="{word}">',
  'background-clip text, transparent on white': box('background:white;background-clip:text;color:transparent'),
  'background-clip text, red': box('background:red;background-clip:text;color:transparent'),
  'background-clip text, gradient': box('background:linear-gradient(red,blue);background-clip:text;color:transparent'),
  'clip-path inset(-100%)': box('clip-path:inset(-100%)'),
  'clip-path inset(0 round 100%)': box('clip-path:inset(0 round 100%);width:200px'),
  'fixed child beside the viewport': box('position:absolute;left:-9999px', box('position:fixed;left:20px;top:20px')),
  'white with difference': box('mix-blend-mode:difference;color:white'),
  'white with invert': box('filter:invert(1);color:white'),
  'black with invert on black': `<style>body{background:black}</style>${box('filter:invert(1);color:white')}`,
  'far text-shadow': box('text-indent:-500px;text-shadow:500px 0 black'),
  'attr()': sheet('.x::after{content:attr(data-x)}', '<p class="x" data-x="{word}"></p>'),
  '::marker': sheet('.x::marker{content:"{word}"}', '<ul><li class="x">item</li></ul>'),
  '::marker in white': sheet('.x::marker{content:"{word}";color:white}', '<ul><li class="x">item</li></ul>'),
  '::details-content shown': sheet(
    'details::details-content{content-visibility:visible;display:block}',
    '<details><summary>s</summary>{word}</details>',
  ),
  'white, with a badge far below': sheet(
    '.x::after{content:"New";background:green}',
    '<p style="color:white">{word}</p><div style="height:900px"></div><p class="x">item</p>',
  ),
  'white, with a bullet far below': sheet(
    '.x::before{content:"";display:inline-block;width:6px;height:6px;background:gray}',
    '<p style="color:white">{word}</p><div style="height:900px"></div><p class="x">item</p>',
  ),
  'white, beside a bullet': sheet(
    '.x::before{content:"";display:inline-block;width:16px;height:16px;background:gray}.x{color:white}',
  ),
  'white, on a moved ::before': sheet(
    '.x{position:relative;z-index:0;color:white}.x::before{content:"";position:absolute;left:50%;top:50%;width:100%;height:100%;transform:translate(-50%,-50%);z-index:-1;background:navy}',
  ),
  'white, on the shadow of a ::before': sheet(
    '.x{position:relative;z-index:0;color:white}.x::before{content:"";position:absolute;left:-300px;top:0;width:300px;height:30px;box-shadow:300px 0 navy;z-index:-1}',
  ),
  '::before in a clip': sheet(
    '.x{position:relative;overflow:hidden;height:20px}.x::before{content:"{word}";position:absolute;top:50px}',
    '<p class="x">item</p>',
  ),
  '::before moved by a transform': sheet(
    '.x::before{content:"{word}";position:absolute;transform:translateX(-999px)}',
    '<p class="x">item</p>',
  ),
  '::before centered by a transform': sheet(
    '.x{position:relative;height:60px}.x::before{content:"{word}";position:absolute;left:50%;top:50%;transform:translate(-50%,-50%)}',
    '<p class="x">item</p>',
  ),
  'content with an alternative': sheet('.x::before{content:"{word}" / "other"}', '<p class="x">item</p>'),
  'alternative of content': sheet('.x::before{content:"other" / "{word}"}', '<p class="x">item</p>'),
  'address of generated content': sheet('.x::before{content:url("data:,{word}")}', '<p class="x">item</p>'),
  'fixed, partly below the viewport': box(
    'position:fixed;bottom:-260px;height:300px',
    '<p style="margin:60px 0">{word}</p>',
  ),
  'fixed, in its part in the viewport': box('position:fixed;bottom:-260px;height:300px'),
  '-webkit-text-security': box('-webkit-text-security:disc'),
  'backface with rotate': box('backface-visibility:hidden;rotate:y 180deg'),
  'option with a label': '<select size="3"><option label="other">{word}</option></select>',
  'clip-path shape()': box('clip-path:shape(from 0 0, line to 50px 0)'),
  'clip-path shape() around': box(
    'clip-path:shape(from 0 0, line to 500px 0, line to 500px 99px, line to 0 99px, close)',
  ),
  'clipped, in a sentence':
    '<p>One <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">{word}</span>two</p>',
  'fraction of an inline table':
    '<p>Take <span style="display:inline-table"><span style="display:table-cell;height:3em"><span style="display:block;height:0;position:relative;top:1em">{word}</span></span></span> of it</p>',
  'closed details': '<details><summary>s</summary>{word}</details>',
};

/** Inline styles of wrapper elements, which are nested in pairs. */
const WRAPPERS: Readonly<Record<string, string>> = {
  'opacity 0': 'opacity:0',
  'opacity 1': 'opacity:1',
  'white text': 'color:white',
  'black background': 'background:black',
  invert: 'filter:invert(1)',
  'clip-path inset(-100%)': 'clip-path:inset(-100%)',
  'clip-path inset(50%)': 'clip-path:inset(50%)',
  'contain paint, height 0': 'contain:paint;height:0',
  'scale(0)': 'transform:scale(0)',
  'text-indent 9999px': 'text-indent:9999px;overflow:hidden;white-space:nowrap',
  difference: 'mix-blend-mode:difference',
};

/** Single pages, pairs of different wrappers, and each wrapper around a frame. */
export function visibilityCases(): VisibilityCase[] {
  const wrappers = Object.entries(WRAPPERS);
  const singles = Object.entries(PAGES).map(([name, html]) => ({ name, html }));
  const pairs = wrappers.flatMap(([outer, outerStyle]) =>
    wrappers
      .filter(([inner]) => inner !== outer)
      .map(([inner, style]) => ({ name: `${outer} around ${inner}`, html: box(outerStyle, box(style)) })),
  );
  const frames = wrappers.map(([outer, style]) => ({ name: `${outer} around a frame`, html: box(style, frame('')) }));
  return [...singles, ...pairs, ...frames];
}
