#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Testing

@Suite("Porting selectors")
struct SelectorPortingTests {
    @Test(
        "Selectors of comparisons become the framework's own",
        arguments: [
            "#selector(NSString.localizedStandardCompare(_:))":
                "Selector(\"localizedStandardCompare:\"         )",
            "#selector(NSString.caseInsensitiveCompare)": "Selector(\"caseInsensitiveCompare:\"     )",
            "#selector(\n  NSString.compare(_:)\n)": "Selector(\"compare:\"\n                      \n)",
        ])
    func selectors(source: String, expected: String) throws {
        #expect(
            try squeezed(port("f(\(source), 1)").text)
                == squeezed("f(\(expected), 1)\nimport CoreData\n"))
    }

    @Test("A method's selector is made after the last line, where private methods are visible")
    func selectedMethods() throws {
        let port = try port(
            """
            class A {
                func f() { g(#selector(changed(_:)), #selector(self.load), #selector(Other.Inner.end(note:))) }
                private func changed(_ note: Note) {}
            }
            """)
        #expect(
            squeezed(port.text)
                == squeezed(
                    """
                    class A {
                        func f() { g(selector1( ), selector2( ), selector3( )) }
                        private func changed(_ note: Note) {}
                    }
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod1() -> Selector { Selector("changed:", A.changed(_:)) } }
                    private func selector1() -> Selector { A.selectedMethod1() }
                    #sourceLocation()
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod2() -> Selector { Selector("load", A.load) } }
                    private func selector2() -> Selector { A.selectedMethod2() }
                    #sourceLocation()
                    #sourceLocation(file: "/src/File.swift", line: 2)
                    extension A { nonisolated fileprivate static func selectedMethod3() -> Selector { Selector("endWithNote:", Other.Inner.end(note:)) } }
                    private func selector3() -> Selector { A.selectedMethod3() }
                    #sourceLocation()
                    import CoreData

                    """))
        #expect(port.refusals.isEmpty)
    }

    @Test("The selector of a generic class's method is made where its parameters are known")
    func selectedMethodsOfGenericClasses() throws {
        let port = try port(
            "class A<T>: NSObject {\n    func f() { g(#selector(changed)) }\n    func changed(_ note: Note) {}\n}"
        )
        #expect(
            port.additions == [
                "#sourceLocation(file: \"/src/File.swift\", line: 2)",
                "extension A { nonisolated fileprivate static func selector1() -> Selector { Selector(\"changed\", A.changed) } }",
                "extension A { nonisolated fileprivate func selector1() -> Selector { Self.selector1() } }",
                "#sourceLocation()",
            ])
    }

    @Test("A selector may name a class with its parameters")
    func selectedMethodsOfSpecializedClasses() throws {
        let port = try port(
            "class A<T>: NSObject {\n    func f() { g(#selector(A<T>.changed(_:)), #selector(B<[Int]>.C.load)) }\n"
                + "    func changed(_ note: Note) {}\n}")
        #expect(port.refusals.isEmpty)
        #expect(
            port.additions.filter { $0.contains("static") } == [
                "extension A { nonisolated fileprivate static func selector1() -> Selector { Selector(\"changed:\", A<T>.changed(_:)) } }",
                "extension A { nonisolated fileprivate static func selector2() -> Selector { Selector(\"load\", B<[Int]>.C.load) } }",
            ])
        #expect(port.portableText.contains("g(A.changedSelector, A.bCLoadSelector)"))
        #expect(port.portableText.contains("return #selector(A<T>.changed(_:))"))
    }

    @Test("A selector used in a conditional branch is compiled under the same condition")
    func conditions() throws {
        let port = try port(
            """
            import CoreData
            class A {
                #if DEBUG
                func f() { g(#selector(h)) }
                #elseif canImport(UIKit)
                func f() { g(#selector(i)) }
                #else
                func f() { g(#selector(j)) }
                #endif
            }
            """)
        #expect(port.additions.filter { $0.hasPrefix("#if") } == ["#if (DEBUG)", "#if !(DEBUG)"])
        #expect(port.additions.count { $0 == "#endif" } == 2)
        #expect(port.additions.last == "#endif")
        #expect(port.additions.contains { $0.contains("A.h") })
        #expect(port.additions.contains { $0.contains("A.j") })
    }

    @Test(
        "A selector that is not a method with at most one parameter is refused",
        arguments: [
            "getter: a.x", "getter: A.x.y", "getter: self", "a.f(_:)", "A.f(_:b:)", "super.f(_:)", "f(_:)",
        ])
    func refusedSelectors(written: String) throws {
        #expect(try port("let s = #selector(\(written))").refusals.count == 1)
    }

    @Test("A selector of an accessor is the name of its property, which is checked")
    func accessorSelectors() throws {
        let port = try port(
            """
            import CoreData
            class A: NSManagedObject {
                @NSManaged var name: String?
                @objc(isBig) var big: Bool { true }
                let own = #selector(getter: self.name)
            }
            let a = [#selector(getter: A.big), #selector(setter: A.name), #selector(getter: Operation.isReady)]
            """)
        #expect(port.refusals.isEmpty)
        #expect(squeezed(port.text).contains("let own = Selector(\"name\" )"))
        #expect(
            squeezed(port.text).contains(
                "[Selector(\"isBig\" ), Selector(\"setName:\" ), Selector(\"isReady\" )]"))
        #expect(port.additions.contains { $0.hasSuffix(" Operation) {") })
        #expect(port.additions.contains { $0.hasSuffix(" .isReady }") })
    }
}
#endif
