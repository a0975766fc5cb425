//! Reads JSON that this server wrote, with little code for each type: the browser has to load all of it.
//!
//! The text was written by `serde_json`; what cannot be read comes from a server of another version. So
//! this reader differs from that of `serde_json` in what makes code large there: it hands a struct its
//! fields in the order in which they are declared, whatever their order in the text, and an enum the
//! number of its variant, so that no name is compared by generated code; and a fault says little. A field
//! that is missing is read as `null`, and if that will not do as its default. Types with
//! `#[serde(alias)]` cannot be read, since their declared names are more than their fields.

mod access;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use leptos::server::codee::{Decoder, Encoder};
use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor,
};

use access::{Entries, Fields, Items, Raw, Variant};

/// By this name `serde_json` asks a reader for the text of a value, for its `RawValue`.
const RAW: &str = "$serde_json::private::RawValue";

/// Reads a value that is all of `text`.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut reader = Reader { text, at: 0 };
    let value = T::deserialize(&mut reader)?;
    match reader.peek() {
        END => Ok(value),
        _ => Err(Fault::new("characters follow the value")),
    }
}

/// Values that the server puts into a page: written by `serde_json`, read here.
pub(crate) struct InPage;

impl<T: Serialize> Encoder<T> for InPage {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(value: &T) -> Result<String, serde_json::Error> {
        serde_json::to_string(value)
    }
}

impl<T: DeserializeOwned> Decoder<T> for InPage {
    type Error = Fault;
    type Encoded = str;

    fn decode(text: &str) -> Result<T, Fault> {
        read(text)
    }
}

/// Why a text cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault(Cow<'static, str>);

impl Fault {
    const fn new(why: &'static str) -> Self {
        Fault(Cow::Borrowed(why))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Fault(Cow::Owned(why.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Fault::new("a value of another type is expected")
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Fault::new("another value is expected")
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Fault::new("a field or an item is missing")
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Fault::new("there is no such variant")
    }

    fn missing_field(name: &'static str) -> Self {
        Fault::new(name)
    }

    fn duplicate_field(name: &'static str) -> Self {
        Fault::new(name)
    }
}

/// What stands behind the text.
const END: u8 = 0;

/// A place in the text.
struct Reader<'de> {
    text: &'de str,
    at: usize,
}

/// A number, as `serde_json` tells them apart.
enum Number {
    Natural(u64),
    Negative(i64),
    Float(f64),
}

impl<'de> Reader<'de> {
    /// The first byte that is not blank, which stays to be read.
    fn peek(&mut self) -> u8 {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += blanks.count();
        self.text.as_bytes().get(self.at).copied().unwrap_or(END)
    }

    /// Takes that byte if it is `byte`.
    fn took(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == byte;
        if is_there {
            self.at += 1;
        }
        is_there
    }

    fn take(&mut self, byte: u8) -> Result<(), Fault> {
        if self.took(byte) {
            Ok(())
        } else {
            Err(Fault::new("a sign or a bracket is missing"))
        }
    }

    /// Before the next item or entry: takes the comma, or the bracket that ends them.
    fn ended(&mut self, bracket: u8) -> Result<bool, Fault> {
        if self.took(bracket) {
            return Ok(true);
        }
        self.took(b',');
        match self.peek() {
            END => Err(Fault::new("the text ends early")),
            _ => Ok(false),
        }
    }

    /// A number or a word.
    fn word(&mut self) -> &'de str {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let ends = |c: char| matches!(c, ',' | ']' | '}' | ':') || c.is_ascii_whitespace();
        let word = rest.split(ends).next().unwrap_or_default();
        self.at += word.len();
        word
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let word = self.word();
        if let Ok(number) = word.parse() {
            return Ok(Number::Natural(number));
        }
        if let Ok(number) = word.parse() {
            return Ok(Number::Negative(number));
        }
        match serde_json::from_str(word) {
            Ok(number) => Ok(Number::Float(number)),
            Err(_) => Err(Fault::new("a number is expected")),
        }
    }

    /// A string, with its quotes and escapes.
    fn quoted(&mut self) -> Result<&'de str, Fault> {
        let start = self.at;
        self.take(b'"')?;
        let mut escaped = false;
        for (n, byte) in self.text.as_bytes()[self.at..].iter().enumerate() {
            match byte {
                b'"' if !escaped => {
                    self.at += n + 1;
                    return Ok(self.text[start..self.at].trim_ascii_start());
                }
                b'\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        Err(Fault::new("a string does not end"))
    }

    fn string(&mut self) -> Result<Cow<'de, str>, Fault> {
        let quoted = self.quoted()?;
        let inside = &quoted[1..quoted.len() - 1];
        if !inside.contains('\\') {
            return Ok(Cow::Borrowed(inside));
        }
        match serde_json::from_str(quoted) {
            Ok(string) => Ok(Cow::Owned(string)),
            Err(_) => Err(Fault::new("a string has a bad escape")),
        }
    }

    /// Steps over one value, whatever it is.
    fn skip(&mut self) -> Result<&'de str, Fault> {
        self.peek();
        let (start, mut depth) = (self.at, 0_usize);
        loop {
            match self.peek() {
                END => return Err(Fault::new("the text ends early")),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                b'"' => {
                    self.quoted()?;
                }
                _ => {
                    self.word();
                }
            }
            if depth == 0 {
                return Ok(&self.text[start..self.at]);
            }
        }
    }

    /// Steps over an object and says where the value of each field begins.
    fn places(&mut self, names: &[&str]) -> Result<Vec<Option<usize>>, Fault> {
        let mut places = vec![None; names.len()];
        self.take(b'{')?;
        while !self.ended(b'}')? {
            let name = self.string()?;
            self.take(b':')?;
            if let Some(n) = names.iter().position(|known| *known == name) {
                places[n] = Some(self.at);
            }
            self.skip()?;
        }
        Ok(places)
    }

    /// Which of the variants is named here, and whether its content follows.
    fn variant(&mut self, names: &[&str]) -> Result<(u32, bool), Fault> {
        let has_content = self.took(b'{');
        let name = self.string()?;
        if has_content {
            self.take(b':')?;
        }
        let n = names.iter().position(|known| *known == name);
        match n.and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok((n, has_content)),
            None => Err(Fault::new("there is no such variant")),
        }
    }

    fn structure<V: Visitor<'de>>(
        &mut self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let places = self.places(names)?.into_iter();
        let end = self.at;
        let value = visitor.visit_seq(Fields::of(self, places))?;
        self.at = end;
        Ok(value)
    }
}

/// Methods that all do the same, whatever is asked for.
macro_rules! alike {
    ($($asked:ident)* => $visit:ident) => {$(
        fn $asked<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.$visit(visitor)
        }
    )*};
}

impl<'de> Reader<'de> {
    fn visit_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.number()? {
            Number::Natural(number) => visitor.visit_u64(number),
            Number::Negative(number) => visitor.visit_i64(number),
            Number::Float(number) => visitor.visit_f64(number),
        }
    }

    fn visit_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_str(&self.string()?)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Fault;

    alike! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64 => visit_number
    }
    alike! {
        deserialize_char deserialize_str deserialize_string deserialize_identifier => visit_text
    }
    alike! { deserialize_bytes deserialize_byte_buf => deserialize_any }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.peek() {
            b'{' => self.deserialize_map(visitor),
            b'[' => self.deserialize_seq(visitor),
            b'"' => self.visit_text(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => self.visit_number(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.word() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Fault::new("true or false is expected")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.peek() {
            // A field that is missing stands behind the end.
            END => visitor.visit_none(),
            b'n' => {
                self.word();
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.word() {
            "null" => visitor.visit_unit(),
            _ => Err(Fault::new("null is expected")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == RAW {
            visitor.visit_map(Raw::of(self.skip()?))
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.take(b'[')?;
        let mut items = Items::of(self);
        let value = visitor.visit_seq(&mut items)?;
        items.end()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.take(b'{')?;
        visitor.visit_map(Entries::of(self))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.structure(names, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (n, has_content) = self.variant(names)?;
        let value = visitor.visit_enum(Variant::of(self, n, has_content))?;
        if has_content {
            self.take(b'}')?;
        }
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.skip()?;
        visitor.visit_unit()
    }
}

/// The name that the reader of a raw value looks for.
fn raw_key() -> StrDeserializer<'static, Fault> {
    RAW.into_deserializer()
}
