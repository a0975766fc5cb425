//! What is inside of objects, arrays and variants.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::{Fault, Reader, raw_key};

/// The fields of a struct, in the order of their declaration.
pub(super) struct Fields<'r, 'de> {
    reader: &'r mut Reader<'de>,
    places: std::vec::IntoIter<Option<usize>>,
}

impl<'r, 'de> Fields<'r, 'de> {
    pub(super) fn of(
        reader: &'r mut Reader<'de>,
        places: std::vec::IntoIter<Option<usize>>,
    ) -> Self {
        Fields { reader, places }
    }
}

impl<'de> SeqAccess<'de> for Fields<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let place = self.places.next().flatten();
        self.reader.at = place.unwrap_or(self.reader.text.len());
        let value = seed.deserialize(&mut *self.reader);
        match place {
            Some(_) => value.map(Some),
            None => Ok(value.ok()),
        }
    }
}

/// The items of an array.
pub(super) struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    ended: bool,
}

impl<'r, 'de> Items<'r, 'de> {
    pub(super) fn of(reader: &'r mut Reader<'de>) -> Self {
        Items {
            reader,
            ended: false,
        }
    }

    /// Steps over what a tuple has no place for.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        while !self.ended {
            self.ended = self.reader.ended(b']')?;
            if !self.ended {
                self.reader.skip()?;
            }
        }
        Ok(())
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        self.ended = self.ended || self.reader.ended(b']')?;
        if self.ended {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// The entries of a map.
pub(super) struct Entries<'r, 'de> {
    reader: &'r mut Reader<'de>,
}

impl<'r, 'de> Entries<'r, 'de> {
    pub(super) fn of(reader: &'r mut Reader<'de>) -> Self {
        Entries { reader }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        if self.reader.ended(b'}')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        self.reader.take(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

/// The text of a value, as `serde_json` wants it for its `RawValue`: a map with one entry.
pub(super) struct Raw<'de>(Option<&'de str>);

impl<'de> Raw<'de> {
    pub(super) fn of(text: &'de str) -> Self {
        Raw(Some(text))
    }
}

impl<'de> MapAccess<'de> for Raw<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        match self.0 {
            Some(_) => seed.deserialize(raw_key()).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let text = self.0.take().unwrap_or("null");
        let text: StrDeserializer<'_, Fault> = text.into_deserializer();
        seed.deserialize(text)
    }
}

/// One variant of an enum.
pub(super) struct Variant<'r, 'de> {
    reader: &'r mut Reader<'de>,
    n: u32,
    has_content: bool,
}

impl<'r, 'de> Variant<'r, 'de> {
    pub(super) fn of(reader: &'r mut Reader<'de>, n: u32, has_content: bool) -> Self {
        Variant {
            reader,
            n,
            has_content,
        }
    }

    fn content(self) -> Result<&'r mut Reader<'de>, Fault> {
        if self.has_content {
            Ok(self.reader)
        } else {
            Err(Fault::new("the content of a variant is missing"))
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let n = seed.deserialize(self.n.into_deserializer())?;
        Ok((n, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        if self.has_content {
            self.reader.skip()?;
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        serde::Deserializer::deserialize_seq(self.content()?, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.content()?.structure(names, visitor)
    }
}
