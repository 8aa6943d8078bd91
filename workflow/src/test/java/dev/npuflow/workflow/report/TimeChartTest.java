package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.report.TimeChart.Bar;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class TimeChartTest {

    private static final ProfileSummary BEFORE = ProfileSummary.of(SampleProfile.of(4));

    private static ProfileSummary without(String name) {
        List<StepTotals> faster = new ArrayList<>(BEFORE.decode());
        faster.removeIf(step -> step.name().equals(name));
        return new ProfileSummary(BEFORE.model(), BEFORE.device(), BEFORE.planHash(), BEFORE.source(), 16, 7, 2048, 4, 0, 0, BEFORE.prefill(), faster,
                BEFORE.generated());
    }

    private static List<Element> bars(String svg) throws Exception {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        return elements(document.getElementsByTagName("g"));
    }

    private static List<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
    }

    private static double width(Element bar) {
        return elements(bar.getElementsByTagName("rect")).stream().mapToDouble(part -> Double.parseDouble(part.getAttribute("width"))).sum();
    }

    /// The sample's decode takes 81.3140 ms a token, of which o_gemv_ffn is 48.4800.
    @Test void bars_are_as_long_as_their_plans_take() throws Exception {
        List<Element> bars = bars(new TimeChart(Phase.DECODE, "m", List.of(new Bar("baseline", BEFORE), new Bar("+ fuse", without("o_gemv_ffn")))).render());
        assertEquals(2, bars.size());
        assertEquals(32.8340 / 81.3140, width(bars.get(1)) / width(bars.get(0)), 1e-3);
        assertTrue(bars.get(0).getTextContent().contains("81.31") && bars.get(1).getTextContent().contains("32.83"));
    }

    @Test void what_a_skill_is_called_ends_no_element() throws Exception {
        String name = "</text><script>alert(1)</script> & \" <";
        List<Element> bars = bars(new TimeChart(Phase.PREFILL, name, List.of(new Bar(name, BEFORE))).render());
        assertTrue(bars.getFirst().getTextContent().contains(name), bars.getFirst()::getTextContent);
        assertEquals(0, bars.getFirst().getElementsByTagName("script").getLength());
    }

    @Test void a_pass_that_took_no_time_has_no_length() throws Exception {
        ProfileSummary empty = new ProfileSummary("m", "npu2", "a", "s", 1, 1, 1, 0, 0, 0, List.of(), List.of(), List.of());
        assertEquals(0, width(bars(new TimeChart(Phase.DECODE, "m", List.of(new Bar("baseline", empty))).render()).getFirst()));
    }
}
