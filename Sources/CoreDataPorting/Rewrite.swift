#if Overlay
/// A place of a source that does not compile on Linux as it does on Apple's systems, and its replacement.
package struct Rewrite: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `@objc` or a similar attribute, with its arguments.
        case attribute
        /// `@objc(Name)` of a class with an attribute that may be a macro. It is replaced by another
        /// attribute, in which macros find the class's Objective-C name.
        case runtimeName(String)
        /// A modifier that only the Objective-C runtime needs: `dynamic` beside `@objc`, or the access level
        /// of a forwarded override.
        case modifier
        /// `Foundation.` before a name that the framework declares on Linux instead of Foundation.
        case qualifier
        /// `#keyPath(…)`, with the properties in it.
        case keyPath(KeyPathExpansion)
        /// `#selector(…)` of a comparison or a setter, with the selector's name.
        case selector(String)
        /// `#selector(getter: …)`, with the property it names.
        case getter(KeyPathExpansion)
        /// `#selector(…)` of a method, with its number among the method selectors of the file, from 1.
        case selectedMethod(Int)
        /// `as! NSFetchRequest<P>` or `as?`, with the call that replaces it.
        case retyping(String)
        /// `fetchRequest` of a class that does not declare it, assigned to a variable without a type, with
        /// the offset at which a type can be added.
        case untypedRequest(type: Int)
        /// `.CoreDataDefines` after the name of a module.
        case submodule
        /// The name of a module that Linux lacks, with the module that replaces it.
        case module(String)
        /// A method that Foundation declares in another form, with the framework's method for it.
        case member(String)
        /// `?` after an optional requirement of a delegate, which has a default on Linux.
        case optionalCall
        /// A word and the one that replaces it, which is not longer.
        case replacement(String)
        /// Accessors to add after an `@NSManaged` property, which becomes a computed one.
        case accessors(String)
        /// Overrides of extensions, to add after the opening brace of their class.
        case overrides(String)
        /// A protocol that `@objc` restricted to classes.
        case classBound
    }

    /// The bytes of the file that are replaced.
    package var range: Range<Int>
    package var kind: Kind

    /// Whether the replacement uses a name of the framework.
    var namesFramework: Bool {
        switch kind {
        case .accessors, .selector, .getter, .selectedMethod, .retyping, .untypedRequest, .member: true
        default: false
        }
    }
}
#endif
