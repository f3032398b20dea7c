import type { PictureKind } from './pictures.ts';

/** One thing that the shop sells. */
export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly category: Category;
  /** In cents. */
  readonly price: number;
  readonly rating: number;
  readonly reviews: number;
  readonly inStock: boolean;
  readonly text: string;
  readonly picture: PictureKind;
  readonly color: string;
}

/** The departments of the shop, in the order of its menu. */
export const CATEGORIES = ['Cups & mugs', 'Kitchen', 'Table', 'Living', 'Desk & travel'] as const;

/** One department. */
export type Category = (typeof CATEGORIES)[number];

type Row = readonly [
  name: string,
  price: number,
  rating: number,
  reviews: number,
  picture: PictureKind,
  color: string,
  text: string,
];

const ROWS: Readonly<Record<Category, readonly Row[]>> = {
  'Cups & mugs': [
    [
      'Harbour mug, blue',
      1850,
      4.8,
      214,
      'mug',
      '#3f6f9f',
      'Stoneware with a thumb rest, thrown in small batches. Holds 350 ml and keeps its heat.',
    ],
    ['Harbour mug, sand', 1850, 4.7, 96, 'mug', '#c9a26b', 'The same mug in a warm, matt sand glaze. Holds 350 ml.'],
    [
      'Enamel camp mug',
      1200,
      4.5,
      331,
      'mug',
      '#4c6b57',
      'Steel under two coats of enamel. Takes the fire, the dishwasher and the odd fall.',
    ],
    [
      'Travel mug with lid',
      2650,
      4.4,
      178,
      'bottle',
      '#6b5b7b',
      'Double walls, a lid that stays shut upside down, and a base that fits a bicycle cage.',
    ],
    [
      'Espresso cups, set of four',
      3200,
      4.9,
      87,
      'cup',
      '#a4563f',
      'Four 80 ml cups with saucers in brick, moss, slate and cream.',
    ],
    [
      'Latte bowl',
      1650,
      4.3,
      52,
      'bowl',
      '#7f8f6a',
      'A wide bowl without a handle, for cold hands and large breakfasts.',
    ],
  ],
  Kitchen: [
    [
      'Gooseneck kettle',
      6900,
      4.8,
      143,
      'kettle',
      '#2f3b45',
      'Pours slowly and exactly. One litre, for gas and induction.',
    ],
    [
      'Bread board, walnut',
      4400,
      4.6,
      61,
      'board',
      '#7a5236',
      'One piece of walnut with a groove for crumbs, oiled by hand.',
    ],
    ['Mixing bowl, large', 2900, 4.7, 118, 'bowl', '#b9852f', 'Four litres, a spout, and a foot that does not slide.'],
    [
      'Salt cellar',
      1450,
      4.2,
      39,
      'jar',
      '#8a8f94',
      'Stoneware with a cork lid. Stands open for cooks, closed for cats.',
    ],
    ['Teapot, one litre', 3900, 4.6, 74, 'teapot', '#55756d', 'With a steel basket that really comes out again.'],
  ],
  Table: [
    ['Serving tray, oak', 3600, 4.5, 45, 'tray', '#b98b52', 'Raised edges and two brass handles. Carries six mugs.'],
    [
      'Dinner plates, set of two',
      3400,
      4.7,
      129,
      'plate',
      '#d8d2c4',
      'Speckled, 27 cm, with a rim that holds the sauce.',
    ],
    ['Linen napkins', 2200, 4.4, 66, 'cloth', '#9db0a5', 'Four napkins of washed linen, softer each year.'],
    ['Water carafe', 2750, 4.1, 28, 'bottle', '#7fa7b8', 'Hand-blown glass with an oak stopper. Holds one litre.'],
  ],
  Living: [
    ['Wool blanket, moss', 11900, 4.9, 203, 'cloth', '#66774f', 'Woven from the wool of hill sheep. 140 by 200 cm.'],
    ['Reading lamp', 8400, 4.6, 91, 'lamp', '#c0643c', 'Warm light, a dimmer and a neck that stays where you put it.'],
    ['Stem vase', 2100, 4.3, 37, 'vase', '#86566b', 'For one branch or three tulips.'],
    [
      'Beeswax candles, pair',
      1600,
      4.8,
      158,
      'candle',
      '#d9a531',
      'Dipped, not moulded. They burn for nine hours each.',
    ],
    ['Planter with saucer', 3150, 4.5, 49, 'planter', '#a8694a', 'Terracotta, 18 cm, with a saucer that fits.'],
  ],
  'Desk & travel': [
    ['Dot grid notebook', 1500, 4.7, 276, 'notebook', '#33566b', '192 numbered pages that lie flat from the first.'],
    ['Canvas day bag', 7200, 4.5, 112, 'bag', '#5d6650', 'Waxed canvas, 18 litres, a sleeve for a laptop.'],
    ['Steel water bottle', 2400, 4.6, 187, 'bottle', '#43736f', 'Half a litre, one wall, no coating. Weighs 160 g.'],
    ['Wall clock', 5300, 4.2, 33, 'clock', '#3c3f46', 'Silent movement, numbers that can be read from the sofa.'],
  ],
};

const SOLD_OUT = new Set(['Water carafe', 'Latte bowl']);

/** Everything the shop sells, in its own order. */
export const PRODUCTS: readonly Product[] = CATEGORIES.flatMap((category) =>
  ROWS[category].map((row) => toProduct(category, row)),
);

/** The product of an address, if there is one. */
export function productBySlug(slug: string): Product | undefined {
  return PRODUCTS.find((product) => product.slug === slug);
}

/** A price as people read it. */
export function formatPrice(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}

function toProduct(category: Category, [name, price, rating, reviews, picture, color, text]: Row): Product {
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return { slug, name, category, price, rating, reviews, inStock: !SOLD_OUT.has(name), text, picture, color };
}
