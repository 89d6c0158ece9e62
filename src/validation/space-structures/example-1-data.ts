/**
 * Reference values of example 1 of TR-942, as data: what the report prints, and the converged motion with its hinge reactions, computed
 * in quadruple precision apart from this project (two resolutions agree to 2e-17). Never to be adjusted.
 */

/** θ2 and θ3, rad, as the report lists them under table 3.2.4, by time. */
export const PRINTED: readonly { readonly t: number; readonly theta: readonly [number, number] }[] = [
  { t: 2, theta: [0.050269164, -0.33256799] },
  { t: 4, theta: [-0.73774916, 1.8884898] },
  { t: 6, theta: [-0.50845999, 0.56723559] },
  { t: 8, theta: [0.71992821, -0.32072845] },
];

export interface ConvergedState {
  readonly t: number;
  /** Hinge angles and rates of waist, upper arm, forearm and hand. */
  readonly theta: readonly number[];
  readonly thetadot: readonly number[];
  /** Of the satellite: position, attitude (w, x, y, z), angular velocity in inertial axes. */
  readonly r1: readonly number[];
  readonly q1: readonly number[];
  readonly w1: readonly number[];
  readonly kinetic: number;
  readonly spring: number;
  readonly dissipated: number;
}

export const CONVERGED: readonly ConvergedState[] = [
  {
    t: 2,
    theta: [0.050269493455710086, -0.3325677778857077, 1.3443127352774664, -0.6021602510023785],
    thetadot: [-1.3393256562728726, 1.177855033332585, -1.8620420337125134, 0.7860597904861891],
    r1: [0.08676662326048162, 0.05003076839796264, -0.3241518083536213],
    q1: [0.9913332166675977, -0.10571398046333338, -0.034647995935137156, 0.0698750616726071],
    w1: [0.037869018851054946, 0.20822710887214266, 0.09014984652653305],
    kinetic: 49.288516549650495,
    spring: 9.782823879390197,
    dissipated: 16.184393129265665,
  },
  {
    t: 4,
    theta: [-0.7377546177228794, 1.8885066108507937, -1.5053847376911447, -0.6272305482994829],
    thetadot: [0.00043299659901402447, 0.16319094337021758, 0.03054834965751771, -0.34542196311767226],
    r1: [0.14620305407362125, 0.043118350794271454, -0.20275942552209242],
    q1: [0.9760481921821901, 0.036629836524784805, 0.17576212288067786, 0.12286520164197678],
    w1: [0.026176101264117655, 0.0695266612064354, -0.008342088038648023],
    kinetic: 0.646707249305979,
    spring: 32.08132059872013,
    dissipated: 42.527705710280244,
  },
  {
    t: 6,
    theta: [-0.5084759464239947, 0.5672586341276231, 0.6412023196022048, -0.42437787832017165],
    thetadot: [0.42661675316524295, -1.1735229454020724, 1.3984976752300038, 0.8752109239346406],
    r1: [0.17523727253342014, 0.03814292720433719, -0.3697502891085555],
    q1: [0.9915550455096925, -0.01759312140484095, 0.09675579137348982, 0.08454224174456104],
    w1: [-0.20030226384639188, -0.249497434797466, -0.11157787907721087],
    kinetic: 15.42770876720666,
    spring: 5.0474010955405735,
    dissipated: 54.78062369555912,
  },
  {
    t: 8,
    theta: [0.7199291527649976, -0.32075037496199105, 1.1045491528182243, 0.28670260751278726],
    thetadot: [0.43837919719835494, 0.07595991652813394, -0.5184473650418825, 0.21391731819385926],
    r1: [0.1010096713430178, 0.043295718290584415, -0.3322334511925739],
    q1: [0.9937126030100321, -0.09009993919097403, -0.06627376920001389, -0.005005106675447013],
    w1: [0.03131368784466815, -0.08509264880143813, -0.022156003089875947],
    kinetic: 3.399274666662924,
    spring: 9.247137287730526,
    dissipated: 62.60932160391291,
  },
];

/** Kinetic + spring + dissipated, J, at all times. */
export const TOTAL_ENERGY = 75.255733558306;

/** What the parent exerts on the child through the hinge, at the hinge, in inertial axes: N and N m. */
export interface HingeReaction {
  readonly t: number;
  readonly hinge: string;
  readonly force: readonly number[];
  readonly torque: readonly number[];
}

export const REACTIONS: readonly HingeReaction[] = [
  {
    t: 0,
    hinge: "waist",
    force: [8.570391926698893, -2.5355544727933936, 41.071205410898735],
    torque: [15.977457007076609, -0.3682725227584325, -15.707963267948966],
  },
  {
    t: 0,
    hinge: "upper-arm",
    force: [10.343800461066058, -2.888810778246482, 44.34739198874569],
    torque: [15.707963267948966, -1.3115368895320778, -15.631980561018286],
  },
  {
    t: 0,
    hinge: "forearm",
    force: [0.8264795538827299, -5.086223161598787, 42.681762779593214],
    torque: [-31.41592653589793, -1.1892742588018732, -6.247705207009864],
  },
  {
    t: 0,
    hinge: "hand",
    force: [-6.787377171863925, -6.84415306828064, 20.878131753946406],
    torque: [1.5707963267948966, -1.0914641542177097, -0.22794812079204174],
  },
  {
    t: 2,
    hinge: "waist",
    force: [-27.50240705706169, 27.451152635286988, -27.372132183149297],
    torque: [-49.79158214539801, -11.859488475194166, 4.579504766553901],
  },
  {
    t: 2,
    hinge: "upper-arm",
    force: [-31.135492853534323, 32.499062088173694, -30.868151656183684],
    torque: [-46.25692829539288, -8.76353775012342, 4.245472866108003],
  },
  {
    t: 2,
    hinge: "forearm",
    force: [2.396837076124216, 24.69809968725442, -19.79717259619272],
    torque: [-5.454560572795768, 6.7862313456398, -10.2511909825503],
  },
  {
    t: 2,
    hinge: "hand",
    force: [23.909282821484993, 4.488035361116579, -1.6733007353005103],
    torque: [-0.5418704748432256, 3.1907228038921076, -0.7804854780454215],
  },
];
