//! Puts functions of the dashboard's WebAssembly that are alike next to each other.
//!
//! The same piece of the framework is compiled once for each type it is used with, to code that differs
//! in a few bytes. What compresses the file says "as so many bytes ago" in fewer bits the nearer that is.
//! The order means nothing to whoever runs the code.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::Result;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, KnownCustom, Name, Parser,
    Payload, TypeRef,
};

/// The module in that order and without names, by which it is told what is alike: they have to be in it
/// still.
pub(crate) fn sort(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::new();
    Order::of(wasm)?.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

struct Order {
    /// How many functions the module takes from outside; those come first, and stay.
    imported: u32,
    /// The module's own functions, as they were numbered, in their new order.
    functions: Vec<u32>,
    /// Which number each of those has now.
    numbers: Vec<u32>,
}

impl Order {
    fn of(wasm: &[u8]) -> Result<Self> {
        let (mut imported, mut sizes, mut names) = (0, Vec::new(), HashMap::new());
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => sizes.push(body.range().len()),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(section) = section.as_known() {
                        for part in section {
                            if let Name::Function(map) = part? {
                                for name in map {
                                    let name = name?;
                                    names.insert(name.index, kind(name.name));
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let mut functions: Vec<(u32, usize)> = (0..).zip(sizes).collect();
        functions.sort_by_key(|(index, size)| (names.get(&(imported + index)), Reverse(*size)));
        let functions: Vec<u32> = functions.into_iter().map(|(index, _)| index).collect();
        let mut numbered: Vec<(u32, u32)> = functions.iter().copied().zip(imported..).collect();
        numbered.sort_unstable();
        Ok(Self {
            imported,
            functions,
            numbers: numbered.into_iter().map(|(_, number)| number).collect(),
        })
    }

    fn reordered<T: Clone>(&self, items: &[T]) -> Vec<T> {
        let place = |index: &u32| usize::try_from(*index).ok();
        let item = |index| items.get(place(index)?).cloned();
        self.functions.iter().filter_map(item).collect()
    }
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        let own = index.checked_sub(self.imported);
        let number = own.and_then(|own| self.numbers.get(usize::try_from(own).ok()?));
        Ok(number.copied().unwrap_or(index))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for index in self.reordered(&types) {
            functions.function(self.type_index(index)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for body in self.reordered(&bodies) {
            self.parse_function_body(code, body)?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        if section.name() == "name" {
            return Ok(());
        }
        utils::parse_custom_section(self, module, section)
    }
}

/// What a function is, whatever type it is for: `<A as B>::c` is a `B::c`, and a hash at its end tells it
/// from others only.
fn kind(name: &str) -> &str {
    let name = name.rsplit_once("::h").map_or(name, |(name, _)| name);
    name.split_once(" as ").map_or(name, |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use walrus::ir::{Const, Instr, Value};
    use walrus::{FunctionBuilder, FunctionId, Module, ValType};

    use super::{kind, sort};

    /// A module that takes a function from outside and has four, of which two are exported.
    fn module() -> Vec<u8> {
        let mut module = Module::default();
        let ty = module.types.add(&[], &[]);
        module.add_import_func("out", "side", ty);
        let mut function = |name: &str, value: i32, calls: Option<FunctionId>| {
            let mut body = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            body.name(name.to_owned());
            if let Some(called) = calls {
                body.func_body().call(called).drop();
            }
            body.func_body().i32_const(value);
            body.finish(Vec::new(), &mut module.funcs)
        };
        let first = function("<b::X as a::Draw>::draw::h1", 11, None);
        let second = function("z::last::h2", 22, Some(first));
        let third = function("<c::Y as a::Draw>::draw::h3", 33, Some(second));
        function("a::first::h4", 44, None);
        module.exports.add("second", second);
        module.exports.add("third", third);
        module.emit_wasm()
    }

    /// What a function pushes and what it calls.
    fn steps(module: &walrus::Module, id: FunctionId) -> (Option<i32>, Option<FunctionId>) {
        let function = module.funcs.get(id).kind.unwrap_local();
        let (mut pushed, mut called) = (None, None);
        for (instr, _) in &function.block(function.entry_block()).instrs {
            match instr {
                Instr::Call(call) => called = Some(call.func),
                Instr::Const(Const {
                    value: Value::I32(value),
                }) => pushed = Some(*value),
                _ => {}
            }
        }
        (pushed, called)
    }

    #[test]
    fn functions_that_are_alike_stand_together() {
        let after = Module::from_buffer(&sort(&module()).unwrap()).unwrap();
        let own = after.funcs.iter_local().map(|(id, _)| id);
        let pushed: Vec<_> = own.filter_map(|id| steps(&after, id).0).collect();
        assert_eq!(pushed, [33, 11, 44, 22]);
    }

    #[test]
    fn exports_and_calls_find_what_moved() {
        let after = Module::from_buffer(&sort(&module()).unwrap()).unwrap();
        let third = after.exports.get_func("third").unwrap();
        let (pushed, second) = steps(&after, third);
        assert_eq!(pushed, Some(33));
        assert_eq!(after.exports.get_func("second").ok(), second);
        let (pushed, first) = steps(&after, second.unwrap());
        assert_eq!(pushed, Some(22));
        assert_eq!(steps(&after, first.unwrap()), (Some(11), None));
    }

    #[test]
    fn names_are_gone() {
        let named = |wasm: &[u8]| wasm.windows(4).any(|part| part == b"draw");
        assert!(named(&module()));
        assert!(!named(&sort(&module()).unwrap()));
    }

    #[test]
    fn what_is_done_tells_what_is_alike() {
        assert_eq!(kind("<a::B<C> as d::E>::f::h0123"), "d::E>::f");
        assert_eq!(kind("a::b::h0123"), "a::b");
        assert_eq!(kind("memcpy"), "memcpy");
    }
}
