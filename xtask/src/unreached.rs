//! Takes out of the dashboard's WebAssembly what the browser never runs.
//!
//! The framework erases the type of a view to a row of function pointers, one for each thing that a view
//! can be asked. The linker has to keep what any of them points to, though some are asked for only by
//! ways of building a dashboard that this one does not go. Their names say which: the functions are taken
//! out of the table of pointers, and with them goes all that only they call. Were one called after all,
//! the page would stop with an error and not go wrong silently.

use anyhow::Result;
use walrus::{ElementItems, FunctionBuilder, FunctionId, Module, ModuleConfig, passes};

/// Parts of the names of functions that are pointed to and not called.
const NAMES: [&str; 3] = [
    // Attaches to HTML of parts that load on demand (`hydrate_lazy`).
    "hydrate_async",
    // Attaches to a copy of a `<template>` (`ViewTemplate`).
    "hydrate_from_template",
    // Lists the pages for the server's router.
    "generate_routes",
];

/// The module without them. Names have to be in it still.
pub(crate) fn cut(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = ModuleConfig::new()
        .strict_validate(false)
        .generate_producers_section(false)
        .parse(wasm)?;
    let unreached = |id: FunctionId, module: &Module| {
        let name = module.funcs.get(id).name.as_deref().unwrap_or_default();
        NAMES.iter().any(|part| name.contains(part)) && !name.contains("drop_in_place")
    };
    let mut body = FunctionBuilder::new(&mut module.types, &[], &[]);
    body.func_body().unreachable();
    let stop = body.finish(Vec::new(), &mut module.funcs);
    let segments: Vec<_> = module.elements.iter().map(walrus::Element::id).collect();
    for segment in segments {
        let mut items = module.elements.get(segment).items.clone();
        if let ElementItems::Functions(functions) = &mut items {
            for function in functions {
                if unreached(*function, &module) {
                    *function = stop;
                }
            }
        }
        module.elements.get_mut(segment).items = items;
    }
    passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with a table of two functions, the second of which calls a third.
    fn module() -> Vec<u8> {
        let mut module = Module::default();
        let mut function = |name: &str, calls: Option<FunctionId>| {
            let mut body = FunctionBuilder::new(&mut module.types, &[], &[]);
            body.name(name.to_owned());
            if let Some(called) = calls {
                body.func_body().call(called);
            }
            body.finish(Vec::new(), &mut module.funcs)
        };
        let helper = function("helper", None);
        let pointed = vec![
            function("a::build::h1", None),
            function("a::hydrate_async::h2", Some(helper)),
        ];
        let table = module
            .tables
            .add_local(false, 2, None, walrus::RefType::FUNCREF);
        let kind = walrus::ElementKind::Active {
            table,
            offset: walrus::ConstExpr::Value(walrus::ir::Value::I32(0)),
        };
        let items = ElementItems::Functions(pointed);
        let segment = module.elements.add(kind, items);
        module.tables.get_mut(table).elem_segments.insert(segment);
        module.exports.add("table", table);
        module.emit_wasm()
    }

    #[test]
    fn what_only_unreached_functions_call_goes_with_them() {
        let cut = Module::from_buffer(&cut(&module()).unwrap()).unwrap();
        let names: Vec<_> = cut.funcs.iter().filter_map(|f| f.name.as_deref()).collect();
        assert_eq!(names, ["a::build::h1"]);
        assert_eq!(cut.funcs.iter().count(), 2);
    }
}
