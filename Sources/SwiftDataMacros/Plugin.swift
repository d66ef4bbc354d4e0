#if SwiftData
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The program that the compiler starts to expand the macros of `SwiftData`.
@main
struct SwiftDataPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ModelMacro.self, ModelActorMacro.self, PersistedPropertyMacro.self, MarkerMacro.self,
    ]
}
#else
/// Expands nothing: without the trait there is no Swift parser to do it with.
@main
enum Plugin {
    static func main() {}
}
#endif
