import Foundation
import Testing

@testable import CoreData

@Suite("Backlinks, which do not keep their object alive")
struct BacklinkTests {
    private final class Target {
        let link = Backlink<Target>()
        init() { link.lead(to: self) }
    }

    @Test("A backlink leads to its object as long as something else holds it")
    func life() {
        var target: Target? = Target()
        let link = target!.link
        #expect(link.target === target)
        target = nil
        #expect(link.target == nil)
    }

    @Test("A backlink leads to nil while its object is deinitialized")
    func dying() {
        final class Dying {
            let link = Backlink<Dying>()
            let tell: (Bool) -> Void
            init(_ tell: @escaping (Bool) -> Void) {
                self.tell = tell
                link.lead(to: self)
            }
            deinit { tell(link.target == nil) }
        }
        var answers: [Bool] = []
        _ = Dying { answers.append($0) }
        #expect(answers == [true])
    }

    @Test("A backlink never leads to a later object at the same address")
    func reusedMemory() {
        let links = (0..<100).map { _ in Target().link }
        let later = (0..<1000).map { _ in Target() }
        withExtendedLifetime(later) { #expect(links.allSatisfy { $0.target == nil }) }
    }

    @Test("Reflection of a backlink does not expose its object")
    func reflection() {
        let link = Target().link
        #expect(Mirror(reflecting: link).children.allSatisfy { !($0.value is Target) })
    }

    @Test("Backlinks may be followed while their objects are freed on other threads")
    func race() {
        for _ in 0..<200 {
            nonisolated(unsafe) var target: Target? = Target()
            let link = target!.link
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    target = nil
                } else {
                    for _ in 0..<50 { _ = link.target?.link }
                }
            }
            #expect(link.target == nil)
        }
    }
}
