//! Colours for values.
//!
//! Input: a position on the scale.
//! Output: a colour.
//! Postcondition: equal steps on the scale look equally far apart and go from dark to light, also in grey and
//! for people with colour blindness.

use std::sync::LazyLock;

pub type Colour = [u8; 3];

pub const PAPER: Colour = [255, 255, 255];
pub const INK: Colour = [32, 32, 32];
pub const FAINT: Colour = [105, 105, 105];
/// Neither colour is on the scale.
pub const NOT_A_NUMBER: Colour = [235, 20, 20];
pub const INFINITE: Colour = [255, 90, 220];
/// For values that have no logarithm.
pub const NO_VALUE: Colour = [190, 190, 190];

/// A finer resolution than eight bits per component can show.
const STEPS: usize = 1024;

/// The colour of a position from 0, dark violet, through blue and green, to 1, light yellow.
pub fn of(place: f64) -> Colour {
    static TABLE: LazyLock<Vec<Colour>> =
        LazyLock::new(|| (0..=STEPS).map(|step| computed(step as f64 / STEPS as f64)).collect());
    TABLE[(place.clamp(0.0, 1.0) * STEPS as f64).round() as usize]
}

fn computed(place: f64) -> Colour {
    // Lightness and hue change uniformly in Oklab, where distances are those that people perceive.
    let lightness = 0.24 + 0.67 * place;
    let hue = (308.0 - 203.0 * place).to_radians();
    let linear = |chroma: f64| from_oklab(lightness, chroma * hue.cos(), chroma * hue.sin());
    let is_shown = |chroma: f64| linear(chroma).iter().all(|part| (0.0..=1.0).contains(part));
    // A colour that no screen can show gets less chroma. Between blue and green screens show the smallest
    // chroma, so the limit decreases smoothly towards it to avoid visible edges.
    let (mut shown, mut most) = (0.0, 0.125 - 0.042 * (std::f64::consts::PI * place).sin());
    while most - shown > 1e-6 {
        let middle = (shown + most) / 2.0;
        if is_shown(middle) {
            shown = middle
        } else {
            most = middle
        }
    }
    linear(shown).map(encoded)
}

/// Linear red, green and blue. The matrices are those of the definition of Oklab.
fn from_oklab(lightness: f64, a: f64, b: f64) -> [f64; 3] {
    let long = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let middle = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let short = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    [
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    ]
}

/// The sRGB encoding.
fn encoded(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.0031308 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_goes_from_dark_to_light_in_even_steps() {
        let colours: Vec<Colour> = (0..=100).map(|step| of(f64::from(step) / 100.0)).collect();
        let linear = |part: u8| (f64::from(part) / 255.0).powf(2.2);
        let light = |colour: &Colour| {
            0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
        };
        for pair in colours.windows(2) {
            let step = light(&pair[1]) - light(&pair[0]);
            assert!((0.0..0.03).contains(&step), "{pair:?}");
            assert!((0..3).all(|part| pair[0][part].abs_diff(pair[1][part]) < 32), "{pair:?}");
        }
        assert!(light(&colours[0]) < 0.03 && light(&colours[100]) > 0.7);
        assert_eq!(of(-1.0), of(0.0));
        assert_eq!(of(2.0), of(1.0));
    }
}
